import { spaced } from './tag-condition.ts'
import { type EventDefinition, MEASURES } from './tag-event.ts'

/** What somebody did of an event that a tag asks about; its property conditions are met. Moments as YYYY-MM-DD HH:mm:ss. */
export interface EventFacts {
  /** Within the tag's time. */
  times: number
  days: number
  last: string | null
  /** At any time. */
  first_ever: string | null
  last_ever: string | null
  /** The number that a measure of a property makes; null where nothing has a number. */
  number: string | null
}

interface EventWords {
  event: string
  property(name: string): string
}

/** The facts that decide whether somebody holds a tag of events, as one phrase. */
export function eventEvidence({ measure, properties }: EventDefinition, facts: EventFacts, names: EventWords): string {
  const what = `「${names.event}」`
  const such = properties.length > 0 ? `符合条件的${what}` : what
  if (facts.last_ever === null) return `从未有过${such}`
  if (measure?.of === 'first') return `首次${such}在 ${facts.first_ever}`
  if (measure?.of === 'last') return `最近一次${such}在 ${facts.last_ever}`
  if (facts.times === 0) return `这段时间没有${such}；最近一次在 ${facts.last_ever}`
  const days = measure?.of === 'days' ? `${facts.days} 天共 ` : ''
  const did = `${such}${days}${facts.times} 次，最近一次在 ${facts.last}`
  if (!measure || !('property' in measure)) return did
  const { label } = MEASURES[measure.of]
  const property = spaced(names.property(measure.property))
  return facts.number === null ? `${did}；${property}没有数字` : `${did}；${property}的${label}是 ${facts.number}`
}

/** The same of an attribute; `value` is empty for somebody without one. */
export const attributeEvidence = (attribute: string, value: string): string =>
  value === '' ? `没有「${attribute}」的值` : `「${attribute}」是「${value}」`
