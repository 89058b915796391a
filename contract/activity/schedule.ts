import type { AnyOutcome } from '../outcomes/entry.ts'
import { outcome } from '../outcomes/make.ts'

/** Half hours of a week: Monday from 00:00 first. */
export const WEEK_SLOTS = 7 * 48
export const SLOTS_A_DAY = 48

export const HOURS_PATTERN = new RegExp(`^[01]{${WEEK_SLOTS}}$`)
const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/

/** Whether a text is a day of the calendar, YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text
}

interface Schedule {
  /** YYYY-MM-DD; without an end the plan goes on. */
  start_date: string | null
  end_date: string | null
  /** 336 signs, 1 where the plan delivers; null: always. */
  hours: string | null
}

/**
 * Why a plan's days and hours are refused. A plan that has ended may keep its last day, `kept`; only a new one must lie
 * ahead.
 */
export function scheduleFaults(
  { start_date, end_date, hours }: Schedule,
  today: string,
  kept: string | null = null,
): AnyOutcome[] {
  const faults: AnyOutcome[] = []
  if (start_date === null) faults.push(outcome('plan_start_missing'))
  if (start_date !== null && end_date !== null && end_date < start_date) faults.push(outcome('plan_end_before_start'))
  else if (end_date !== null && end_date < today && end_date !== kept) faults.push(outcome('plan_end_past'))
  // The platforms read no hours at all either as always or as a mistake.
  if (hours !== null && !hours.includes('1')) faults.push(outcome('plan_hours_empty'))
  return faults
}

/** Hours as they are kept: a whole week is the same as none named. */
export const keptHours = (hours: string | null): string | null => (hours?.includes('0') ? hours : null)

const DAYS = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'] as const
export const WEEK_DAYS: readonly string[] = DAYS

const clock = (slot: number) => `${String(Math.floor(slot / 2)).padStart(2, '0')}:${slot % 2 === 0 ? '00' : '30'}`

/** The chosen spans of a day: 09:00–12:00、14:00–18:00. */
function spansOf(day: string): string {
  const spans: string[] = []
  let from: number | null = null
  for (let slot = 0; slot <= SLOTS_A_DAY; slot++) {
    const isOn = day[slot] === '1'
    if (isOn && from === null) from = slot
    if (!isOn && from !== null) {
      spans.push(`${clock(from)}–${clock(slot)}`)
      from = null
    }
  }
  return spans.join('、')
}

/** A schedule's hours in words, days with equal hours together. */
export function hoursWords(hours: string | null): string {
  const kept = keptHours(hours)
  if (kept === null) return '全天'
  const days = DAYS.map((name, at) => ({ name, spans: spansOf(kept.slice(at * SLOTS_A_DAY, (at + 1) * SLOTS_A_DAY)) }))
  const groups = Map.groupBy(
    days.filter(({ spans }) => spans !== ''),
    ({ spans }) => spans,
  )
  if (groups.size === 0) return '无'
  const [first] = groups
  if (groups.size === 1 && first?.[1].length === DAYS.length) return `每天 ${first[0]}`
  return [...groups].map(([spans, names]) => `${names.map(({ name }) => name).join('、')} ${spans}`).join('；')
}
