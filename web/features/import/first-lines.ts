import { formatCount } from '../../lib/format.ts'

/** The first of some lines by their numbers: 第 3、7 等行; empty where no numbers are known. */
export function firstLines(numbers: readonly number[], rows: number, unit = '行'): string {
  if (numbers.length === 0) return ''
  return `第 ${numbers.map(formatCount).join('、')} ${rows > numbers.length ? '等' : ''}${unit}`
}
