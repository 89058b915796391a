import type { DataOf } from '#contract/endpoint.ts'
import type { getLinkUser } from '#contract/link-user.ts'

type Shown = Pick<DataOf<typeof getLinkUser>, 'list' | 'day_total' | 'day_step'>

/** A page's events by their days, with how many each whole day has where the chart counts days. */
export function byDay({ list, day_total, day_step }: Shown) {
  const totals = new Map(day_step === 'day' ? day_total.map(({ day, total }) => [day, total]) : [])
  return [...Map.groupBy(list, ({ date }) => date.slice(0, 10))].map(([day, events]) => ({
    day,
    total: totals.get(day) ?? null,
    events,
  }))
}
