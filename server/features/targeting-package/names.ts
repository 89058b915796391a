import { NAME_MAX } from '#contract/common.ts'

/** A name for a copy that is not taken: 名称_副本, 名称_副本2 and so on. */
export function freeCopyName(name: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const suffix = n === 1 ? '_副本' : `_副本${n}`
    const candidate = [...name].slice(0, NAME_MAX - suffix.length).join('') + suffix
    if (!taken.has(candidate)) return candidate
  }
}
