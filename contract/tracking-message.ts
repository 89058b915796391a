import type { Outcome } from './outcome.ts'
import { outcome } from './outcomes/make.ts'
import { unstorable } from './storable.ts'
import { bytesOf, isObject, propertyCollector, storedBytes, textOf } from './tracking-properties.ts'

/** The Segment tracking calls, and what each does here. */
export const MESSAGE_KINDS = ['track', 'page', 'screen', 'identify', 'group', 'alias'] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** What a write key may do: a key in a page is public, so a page's key may do less than a server's. */
export type WriteKeyKind = 'server' | 'page'

/** The bounds of a call, as of Segment's public API. */
export const BATCH_BYTES_MAX = 500 * 1024
export const BATCH_MESSAGES_MAX = 1000
export const MESSAGE_BYTES_MAX = 32 * 1024
export const MESSAGE_DEPTH_MAX = 10
const EVENT_MAX = 200
const ID_BYTES_MAX = 512
const MESSAGE_ID_MAX = 200
const DAY_MS = 86_400_000
const EARLIEST_MS = Date.UTC(2000, 0, 1)

/** In front of an anonymousId, which has a name space of its own: no userId may begin with it. */
export const ANONYMOUS_PREFIX = 'anon:'

/** The event of a call that names none. */
const EVENT_OF: Partial<Record<MessageKind, string>> = { page: '浏览页面', screen: '浏览屏幕', group: '加入群组' }

/** What of a message's context is kept with its event. */
const CONTEXT_KEPT: Readonly<Record<string, readonly string[]>> = {
  page: ['path', 'url', 'title', 'referrer', 'search'],
  campaign: ['id', 'name', 'source', 'medium', 'term', 'content'],
}

/** A message as it is stored. Ids that it does not have are empty. */
export interface TrackedMessage {
  kind: MessageKind
  message_id: string
  anonymous_id: string
  user_id: string
  /** The id that an alias gives up. */
  previous_id: string
  /** Empty for identify and alias. */
  event: string
  title: string
  /** Epoch milliseconds, by our clock. */
  ts: number
  /** Properties, or the traits of an identify, by dotted names. */
  properties: Record<string, string>
}

export interface ReadAt {
  receivedMs: number
  /** When the sender says that it sent the call, by its clock; null if it does not say. */
  sentAt: unknown
  /** The call's own kind; null in a batch, whose messages say it. */
  kind: MessageKind | null
  keyKind: WriteKeyKind
  /** Makes an id for a message that has none. */
  newId(): string
}

/** `bytes`: what it takes to store the message. */
export type ReadMessage = { message: TrackedMessage; bytes: number } | { refused: Outcome }

/** Checks a message and brings it into its stored form; a message that cannot be kept is refused with the reason. */
export function readMessage(given: unknown, at: ReadAt): ReadMessage {
  if (!isObject(given)) return refused(outcome('track_not_an_object'))
  const unfit = unstorable(given, MESSAGE_DEPTH_MAX)
  if (unfit) return refused(unfit)
  if (isLongJson(given, MESSAGE_BYTES_MAX))
    return refused(outcome('track_message_too_long', { kb: MESSAGE_BYTES_MAX / 1024 }))
  const type = at.kind ?? given.type
  const kind = MESSAGE_KINDS.find((one) => one === type)
  if (!kind) return refused(outcome('track_kind_unknown', { kind: idOf(type).slice(0, 40) }))
  const ids = idsOf(given, kind, at.keyKind)
  if ('refused' in ids) return ids
  const time = timeOf(given, at)
  if (typeof time !== 'number') return refused(time)
  const message_id = idOf(given.messageId) || at.newId()
  if (message_id.length > MESSAGE_ID_MAX) return refused(outcome('track_message_id_too_long', { max: MESSAGE_ID_MAX }))
  const what = contentOf(given, kind)
  if ('refused' in what) return what
  if (kind === 'identify' && [message_id, ...Object.values(ids)].some((id) => HAS_MARKS.test(id)))
    return refused(outcome('row_has_control'))
  const message = { kind, message_id, ...ids, ts: time, ...what }
  return { message, bytes: storedBytes(message) }
}

const refused = (reason: Outcome) => ({ refused: reason })

function idsOf(given: Record<string, unknown>, kind: MessageKind, keyKind: WriteKeyKind) {
  if ([given.userId, given.anonymousId, given.previousId].some(isInexact)) return refused(outcome('track_id_not_exact'))
  const user_id = idOf(given.userId)
  const anonymous_id = idOf(given.anonymousId)
  const previous_id = kind === 'alias' ? idOf(given.previousId) : ''
  if (user_id.startsWith(ANONYMOUS_PREFIX) || previous_id.startsWith(ANONYMOUS_PREFIX))
    return refused(outcome('track_id_reserved', { prefix: ANONYMOUS_PREFIX }))
  const stored = [
    user_id,
    anonymous_id && ANONYMOUS_PREFIX + anonymous_id,
    previous_id && ANONYMOUS_PREFIX + previous_id,
  ]
  if (stored.some((id) => bytesOf(id) > ID_BYTES_MAX))
    return refused(outcome('row_id_too_long', { bytes: ID_BYTES_MAX }))
  if (kind === 'alias') {
    if (keyKind === 'page') return refused(outcome('track_page_alias'))
    if (user_id === '' || previous_id === '') return refused(outcome('track_alias_ids'))
  } else if (user_id === '' && anonymous_id === '') return refused(outcome('track_without_id'))
  return { user_id, anonymous_id, previous_id }
}

/** The event's name and title, and its properties or traits. */
function contentOf(given: Record<string, unknown>, kind: MessageKind) {
  const context = objectOf(given.context)
  const page = objectOf(context.page)
  const name = textOf(given.name)
  if (kind === 'alias') return { event: '', title: '', properties: {} }
  const own = {
    ...(kind === 'identify' ? objectOf(context.traits) : {}),
    ...objectOf(given.traits),
    ...objectOf(given.properties),
  }
  const { properties, add, addAll } = propertyCollector()
  let unfit = addAll(own)
  if (unfit) return refused(unfit)
  if (kind === 'identify') {
    if (Object.entries(properties).some((pair) => pair.some((text) => HAS_MARKS.test(text))))
      return refused(outcome('row_has_control'))
    return { event: '', title: '', properties }
  }
  for (const [part, names] of Object.entries(CONTEXT_KEPT)) {
    const values = objectOf(context[part])
    for (const one of names) {
      const text = textOf(values[one])
      if (text !== '') unfit ??= add(`${part}.${one}`, text)
    }
  }
  if (kind === 'group') {
    const groupId = idOf(given.groupId)
    if (groupId === '') return refused(outcome('track_without_group'))
    unfit ??= add('groupId', groupId)
  }
  if (kind === 'page' || kind === 'screen') {
    for (const [key, text] of [
      ['name', name],
      ['category', textOf(given.category)],
    ] as const) {
      if (text !== '') unfit ??= add(key, text)
    }
  }
  if (unfit) return refused(unfit)
  const event = EVENT_OF[kind] ?? textOf(given.event)
  if (event === '') return refused(outcome('row_without_event'))
  if (event.length > EVENT_MAX && [...event].length > EVENT_MAX)
    return refused(outcome('row_event_too_long', { max: EVENT_MAX }))
  const title = properties.title ?? (kind === 'track' || kind === 'group' ? '' : name)
  return { event, title: title || textOf(page.title), properties }
}

// What people are told of goes through a file of users, whose cells these stand between.
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above.
const HAS_MARKS = /[\u001e\u001f]/

/** When it happened by our clock: the sender's clock is off by the difference between its sending and our receiving. */
function timeOf(given: Record<string, unknown>, { receivedMs, sentAt }: ReadAt): number | Outcome {
  const stamped = given.timestamp ?? given.originalTimestamp
  if (stamped === undefined || stamped === null) return receivedMs
  const at = millisOf(stamped)
  if (at === null) return outcome('track_time_unreadable')
  const sent = millisOf(sentAt ?? given.sentAt)
  const ts = sent === null ? at : receivedMs - (sent - at)
  if (ts < EARLIEST_MS) return outcome('row_time_too_early')
  if (ts > receivedMs + DAY_MS) return outcome('row_time_too_late')
  // Clocks differ; but nothing happens after it was received.
  return Math.min(ts, receivedMs)
}

const ISO = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/** Null for what is no time. Without a zone it is UTC. */
function millisOf(value: unknown): number | null {
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || value < 0) return null
    return value < 1e11 ? Math.round(value * 1000) : Math.round(value)
  }
  if (typeof value !== 'string') return null
  const read = ISO.exec(value.trim())
  if (!read) return null
  const [, day = '', clock, , , zone] = read
  // Readers of dates move the 30th of February to March.
  if (new Date(`${day}T00:00:00Z`).getUTCDate() !== Number(day.slice(-2))) return null
  const hasZone = clock === undefined || zone !== undefined
  const ms = Date.parse(hasZone ? value.trim() : `${value.trim()}Z`)
  return Number.isNaN(ms) ? null : ms
}

const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})
const idOf = (value: unknown): string => (typeof value === 'boolean' ? '' : textOf(value))

/** Whether JSON's reader rounded it, so that other numbers look the same. */
const isInexact = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER

/** Whether its JSON takes more bytes than this. */
function isLongJson(value: object, max: number): boolean {
  const text = JSON.stringify(value)
  return text.length > max || (text.length * 3 > max && bytesOf(text) > max)
}
