import { formatShare } from '../../lib/format.ts'
import type { Profile } from './CrowdProfile.tsx'

export type ProfileGroup = Profile['groups'][number]
export type ProfileValue = ProfileGroup['values'][number]

/** The category with the clearest difference: that of the significant tag whose index is farthest from 100. */
export function largestGroup(groups: readonly ProfileGroup[]): ProfileGroup | undefined {
  const distance = ({ values }: ProfileGroup) =>
    Math.max(0, ...values.map(({ tgi, is_significant }) => (is_significant && tgi !== null ? Math.abs(tgi - 100) : 0)))
  return groups.toSorted((one, other) => distance(other) - distance(one))[0]
}

/** Significant differences before others, and among each the higher index first. */
export const byClarity = (one: ProfileValue, other: ProfileValue): number =>
  Number(other.is_significant) - Number(one.is_significant) || (other.tgi ?? -1) - (one.tgi ?? -1)

const fractionWords = (share: number | null) => formatShare(share, 1)

/** What a chart shows, for those who do not see it. */
export const chartLabel = ({ name, values }: ProfileGroup): string =>
  `${name}：${values
    .map((value) => `${value.name} 人群 ${fractionWords(value.share)}，对照 ${fractionWords(value.base_share)}`)
    .join('；')}`

export const tgiWords = (tgi: number | null): string => (tgi === null ? '--' : tgi.toFixed(tgi < 10 ? 1 : 0))

/** Whether the crowd has a tag more or less often, or why neither is said. */
export const DIFFERENCES = { more: '显著偏高', less: '显著偏低', chance: '不显著', few: '人数太少' } as const
export type Difference = keyof typeof DIFFERENCES

export function differenceOf({ tgi, p_value, is_significant }: ProfileValue): Difference {
  if (p_value === null) return 'few'
  if (!is_significant || tgi === null) return 'chance'
  return tgi > 100 ? 'more' : 'less'
}
