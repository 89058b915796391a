import { dayOf } from '../clock.ts'
import { addTo, type Figures, figuresOf, nothing } from './figures.ts'
import type { ReportedPlan } from './plans.ts'

const DAY_MS = 86_400_000

/** `YYYY-MM-DD` of a day's number, and back; null for a text that is no day. */
export const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
export function dayNumber(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return null
  const day = Date.parse(`${text}T00:00:00Z`) / DAY_MS
  return Number.isInteger(day) && dayText(day) === text ? day : null
}

export interface DayRow {
  day: number
  /** Null for a row of the whole account. */
  plan: ReportedPlan | null
  figures: Figures
}

/** A row for each plan and day, the days in order; what has not begun has none. */
export function planRows(plans: readonly ReportedPlan[], from: number, to: number, at: number): DayRow[] {
  const rows: DayRow[] = []
  for (let day = from; day <= Math.min(to, dayOf(at)); day++) {
    for (const plan of plans) if (plan.since <= day) rows.push({ day, plan, figures: figuresOf(plan, day, at) })
  }
  return rows
}

/** The sums of all plans of each day. */
export function accountRows(plans: readonly ReportedPlan[], from: number, to: number, at: number): DayRow[] {
  const rows: DayRow[] = []
  for (let day = from; day <= Math.min(to, dayOf(at)); day++) {
    const there = plans.filter(({ since }) => since <= day)
    const figures = there.reduce((sum, plan) => addTo(sum, figuresOf(plan, day, at)), nothing())
    rows.push({ day, plan: null, figures })
  }
  return rows
}

/** The sums of each plan over all days. */
export function wholeRows(plans: readonly ReportedPlan[], from: number, to: number, at: number): DayRow[] {
  return plans.map((plan) => ({
    day: from,
    plan,
    figures: planRows([plan], from, to, at).reduce((sum, row) => addTo(sum, row.figures), nothing()),
  }))
}

/** A share with so many digits, as platforms round it; 0 where it would divide by zero. */
export const share = (over: number, under: number, digits: number): number =>
  under === 0 ? 0 : Number((over / under).toFixed(digits))
