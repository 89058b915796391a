import type { DataOf } from '#contract/endpoint.ts'
import type { getLinkUser } from '#contract/link-user.ts'

type Shown = Pick<DataOf<typeof getLinkUser>, 'day_total' | 'day_step'>

const STEP_WORDS = { day: '每天', week: '每周', month: '每月' } as const

/** What the columns of the chart are, above it. */
export const stepWords = ({ day_step }: Shown): string => STEP_WORDS[day_step]

/** What one column is: a day, or the week or month that begins with it. */
export function columnName(day: string, step: Shown['day_step']): string {
  if (step === 'day') return day
  return step === 'week' ? `${day} 起的一周` : `${day.slice(0, 7)} 月`
}

/** What a screen reader says of the chart. */
export function chartLabel(shown: Shown): string {
  const sum = shown.day_total.reduce((all, { total }) => all + total, 0)
  const most = shown.day_total.reduce((best, one) => (one.total > best.total ? one : best), { day: '', total: 0 })
  const peak = most.total > 0 ? `，最多的是 ${columnName(most.day, shown.day_step)}，${most.total} 次` : ''
  return `事件总量，${stepWords(shown)}一柱，共 ${sum} 次${peak}`
}
