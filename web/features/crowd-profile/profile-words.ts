import { formatShare } from '../../lib/format.ts'
import type { Profile } from './CrowdProfile.tsx'

export type ProfileGroup = Profile['groups'][number]
export type ProfileValue = ProfileGroup['values'][number]

/** Whether the crowd has a tag more or less often, or why neither is said. */
export const DIFFERENCES = {
  more: '显著偏高',
  less: '显著偏低',
  chance: '不显著',
  none: '没有差别',
  few: '人数太少',
} as const
export type Difference = keyof typeof DIFFERENCES

export function differenceOf({ share, base_share, p_value, is_significant }: ProfileValue): Difference {
  if (p_value === null) return share === base_share ? 'none' : 'few'
  if (!is_significant) return 'chance'
  return (share ?? 0) > (base_share ?? 0) ? 'more' : 'less'
}

/** Where the base never has a tag, the crowd has it infinitely more often. */
const rankOf = ({ tgi, count }: ProfileValue) => tgi ?? (count > 0 ? Number.POSITIVE_INFINITY : -1)
const order = (one: number, other: number) => (one === other ? 0 : one < other ? -1 : 1)

/** Significant differences before others, and among each the higher index first. */
export const byClarity = (one: ProfileValue, other: ProfileValue): number =>
  Number(other.is_significant) - Number(one.is_significant) || order(rankOf(other), rankOf(one))

/** The category with the clearest difference: that of the significant tag whose index is farthest from 100. */
export function largestGroup(groups: readonly ProfileGroup[]): ProfileGroup | undefined {
  const distance = ({ values }: ProfileGroup) =>
    Math.max(0, ...values.map((value) => (value.is_significant ? Math.abs(rankOf(value) - 100) : 0)))
  return groups.toSorted((one, other) => order(distance(other), distance(one)))[0]
}

const fractionWords = (share: number | null) => formatShare(share, 1)

/** What a chart shows, for those who do not see it. */
export const chartLabel = ({ name, values }: ProfileGroup): string =>
  `${name}：${values
    .map((value) => `${value.name} 人群 ${fractionWords(value.share)}，对照 ${fractionWords(value.base_share)}`)
    .join('；')}`

export const tgiWords = (tgi: number | null): string => (tgi === null ? '--' : tgi.toFixed(tgi < 10 ? 1 : 0))
