import { type PlatformCode, platformInfo } from '../platform.ts'
import { utf8Bytes } from './common.ts'

/** What stands in a list for a longer name. */
const MORE = '…'

/** The beginning of a name as the list of its platform shows it; the same name where it is short enough. */
export function shownName(platform: PlatformCode, name: string): string {
  const { max, unit } = platformInfo(platform).nameShown
  const sizeOf = (text: string) => (unit === 'bytes' ? utf8Bytes(text) : [...text].length)
  if (sizeOf(name) <= max) return name
  const kept = [...name]
  while (sizeOf(kept.join('')) > max) kept.pop()
  return kept.join('') + MORE
}
