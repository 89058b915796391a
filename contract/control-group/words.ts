import type { ControlComparison } from '../control-group.ts'

/** A share from 0 to 1 as a percentage. */
export const percentOf = (rate: number) => `${(rate * 100).toFixed(2)}%`

/** Points of a percentage, with a minus sign of the width of a digit. */
export const pointsOf = (difference: number) => {
  const points = (Math.abs(difference) * 100).toFixed(2)
  return difference < 0 && Number(points) !== 0 ? `−${points}` : points
}

/** What a comparison says, in plain words; `event`: what the groups are compared by. */
export function comparisonWords(
  { difference, verdict }: Pick<ControlComparison, 'difference' | 'verdict'>,
  event: string,
): string | null {
  if (difference === null || verdict === null) return null
  const { value, low, high } = difference
  const interval = `95% 区间 ${pointsOf(low)} 至 ${pointsOf(high)} 个百分点`
  const higher = value < 0 ? '低' : '高'
  const apart =
    value === 0 ? `两组的${event}率相同` : `实验组的${event}率比对照组${higher} ${pointsOf(Math.abs(value))} 个百分点`
  return verdict === 'chance'
    ? `${apart}，${interval}，其中包含 0：可能只是偶然，还不能说推送有作用。`
    : `${apart}，${interval}，不包含 0：不只是偶然。`
}

/** Why the difference is smaller than it is, where accounts have a crowd from before its control group; null elsewhere. */
export const unpushedWords = (accounts: readonly string[]): string | null =>
  accounts.length === 0
    ? null
    : `${accounts.map((account) => `「${account}」`).join('、')}还没有用这个对照组推送，留出的人仍在其中，差别会偏小；请重新推送。`

/** What is said of a comparison in one text: why there is none, or what it says and what limits it. */
export function verdictWords(comparison: ControlComparison, event: string): string {
  const { problem, is_over, unpushed } = comparison
  if (problem !== null) return `暂无：${problem}`
  return [comparisonWords(comparison, event), is_over ? null : '所选天数还没有过完。', unpushedWords(unpushed)].join('')
}
