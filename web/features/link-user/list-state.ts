import { readSpan, writeSpan } from '../../lib/span.ts'
import { type Paged, readPage, writePage } from '../../lib/url-page.ts'

/** Which events are looked at: all of them, or some by their ids (perhaps none). */
export type ChosenEvents = 'all' | readonly number[]

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
  const text = params.get('event') ?? ''
  const ids = text
    .split(',')
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0)
  return { time: readSpan(params.get('time') ?? ''), events: ids.length > 0 ? ids : text === NO_EVENT ? [] : 'all' }
}

export function writeEventChoice(params: URLSearchParams, { time, events }: EventChoice): URLSearchParams {
  const next = new URLSearchParams(params)
  next.delete('time')
  next.delete('event')
  if (time !== null) next.set('time', writeSpan(time))
  if (events !== 'all') next.set('event', events.length > 0 ? events.join(',') : NO_EVENT)
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

/** The choice as the calls take it; all events leave `event` out. */
export const choiceOf = ({ time, events }: EventChoice) => ({
  ...(time === null ? {} : { startTime: time[0], endTime: time[1] }),
  ...(events === 'all' ? {} : { event: events.join(',') }),
})

/** The filters of the list as its calls take them. */
export const filterOf = ({ oneID, ...choice }: Pick<LinkUserListState, 'oneID' | 'time' | 'events'>) => ({
  ...(oneID === '' ? {} : { oneID }),
  ...choiceOf(choice),
})
