import { EVENTS_CHOSEN_MAX } from '#contract/link-user.ts'
import { idsIn } from '../../lib/ids-in.ts'
import { readSpan, writeSpan } from '../../lib/span.ts'
import { type Paged, readPage, writePage } from '../../lib/url-page.ts'

/** Which events are looked at: all of them, some by their ids (perhaps none), or all but some. */
export type ChosenEvents = 'all' | readonly number[] | { but: readonly number[] }

/** Whether no event is looked at, so that nobody has any. */
export const choosesNone = (events: ChosenEvents): boolean => Array.isArray(events) && events.length === 0

/** These of all events, in the shortest way that can be asked for. */
export function choiceAmong(all: readonly number[], ids: readonly number[]): ChosenEvents {
  const chosen = new Set(ids)
  const rest = all.filter((id) => !chosen.has(id))
  if (all.length > 0 && rest.length === 0) return 'all'
  return ids.length > EVENTS_CHOSEN_MAX && rest.length < ids.length ? { but: rest } : ids
}

/** The ids of the chosen events. */
export function chosenAmong(all: readonly number[], events: ChosenEvents): readonly number[] {
  if (events === 'all') return all
  if (!('but' in events)) return events
  const rest = new Set(events.but)
  return all.filter((id) => !rest.has(id))
}

/** What a person's page and the list of people have in common; the URL holds it. */
export interface EventChoice {
  /** Epoch seconds, both included. */
  time: [number, number] | null
  events: ChosenEvents
}

/** What the list of people shows; the URL holds all of it. */
export interface LinkUserListState extends Paged, EventChoice {
  oneID: string
}

/** In the URL when no event is chosen. */
const NO_EVENT = 'none'

export function readEventChoice(params: URLSearchParams): EventChoice {
  return { time: readSpan(params.get('time') ?? ''), events: readEvents(params) }
}

function readEvents(params: URLSearchParams): ChosenEvents {
  const ids = idsIn(params.get('event'))
  if (ids.length > 0) return ids
  if (params.get('event') === NO_EVENT) return []
  const but = idsIn(params.get('not_event'))
  return but.length > 0 ? { but } : 'all'
}

export function writeEventChoice(params: URLSearchParams, { time, events }: EventChoice): URLSearchParams {
  const next = new URLSearchParams(params)
  next.delete('time')
  next.delete('event')
  next.delete('not_event')
  if (time !== null) next.set('time', writeSpan(time))
  if (choosesNone(events)) next.set('event', NO_EVENT)
  for (const [name, value] of Object.entries(eventsAsked(events))) next.set(name, value)
  return next
}

export const readLinkUserState = (params: URLSearchParams): LinkUserListState => ({
  oneID: params.get('oneID') ?? '',
  ...readEventChoice(params),
  ...readPage(params),
})

export function writeLinkUserState(state: LinkUserListState): URLSearchParams {
  const params = writeEventChoice(new URLSearchParams(), state)
  if (state.oneID !== '') params.set('oneID', state.oneID)
  return writePage(params, state)
}

function eventsAsked(events: ChosenEvents): { event?: string; not_event?: string } {
  if (events === 'all' || choosesNone(events)) return {}
  return 'but' in events ? { not_event: events.but.join(',') } : { event: events.join(',') }
}

/** The choice as the calls take it; all events, and none, for which no call is made, leave `event` out. */
export const choiceOf = ({ time, events }: EventChoice) => ({
  ...(time === null ? {} : { startTime: time[0], endTime: time[1] }),
  ...eventsAsked(events),
})

/** The filters of the list as its calls take them. */
export const filterOf = ({ oneID, ...choice }: Pick<LinkUserListState, 'oneID' | 'time' | 'events'>) => ({
  ...(oneID === '' ? {} : { oneID }),
  ...choiceOf(choice),
})
