import type { Endpoint } from '#contract/endpoint.ts'
import { previewImport } from '#contract/import.ts'
import { maskPhones, phonesFor } from '../files/mask-phones.ts'
import type { Viewer } from './viewer.ts'

/**
 * Properties of answers that hold what people wrote, or sentences made of it. Every property with a text is either here
 * or among the others in `phones-in-answers.test.ts`, so a new one is decided on.
 */
export const WRITTEN: ReadonlySet<string> = new Set([
  ...[
    'name',
    'tag',
    'category',
    'display_name',
    'label',
    'title',
    'path',
    'dir_name',
    'adv_name',
    'account_name',
    'crowd_name',
    'package_name',
    'product_name',
    'advertiser_name',
    'platform_name',
  ],
  ...[
    'file_name',
    'note',
    'words',
    'now',
    'summary',
    'bring_data',
    'remark',
    'account_remark',
    'text',
    'what',
    'stage',
    'told',
    'answer',
    'request',
  ],
  ...['msg', 'error', 'last_error', 'reason', 'failReason', 'refusal', 'problem', 'problems', 'notes', 'only_here'],
  ...['bring_data', 'author_name', 'category_name', 'province', 'city', 'district', 'street', 'street_number'],
  // Names and words that people gave on the platform.
  ...['words_there', 'lost_there'],
  // What a log says of a change: names, among others.
  ...['before', 'after'],
  ...['undo_obstacle', 'message', 'attribute', 'event', 'property', 'properties', 'attributes', 'events', 'columns'],
  ...['amount', 'goods'],
  // Of reports: names of campaigns, plans and accounts.
  ...['campaign', 'plan', 'account', 'gone_plans'],
  // Names of accounts to which a crowd was pushed before it held out a control group.
  'unpushed',
  // Of people: an id may be a phone, and what an event says may hold one.
  ...['oneID', 'info', 'meaning', 'evidence'],
  // Of tracked messages, whose senders choose their ids.
  ...['user_id', 'anonymous_id', 'previous_id', 'message_id'],
])
/** Below these every text was written by people: an outcome's names, and the columns of an imported file. */
const ALL_WRITTEN_BELOW: ReadonlySet<string> = new Set(['params', 'mapping', 'by'])

/** The caller's own file, of which the names of columns are sent back when the import starts. It masks its cells itself. */
const ANSWERED_AS_IT_IS: ReadonlySet<Endpoint> = new Set([previewImport])

const isPlain = (value: object) => [Object.prototype, null].includes(Object.getPrototypeOf(value))

function masked(value: unknown, is: { written: boolean; allBelow: boolean }): unknown {
  if (typeof value === 'string') return is.written ? maskPhones(value) : value
  if (Array.isArray(value)) return value.map((one) => masked(one, is))
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const allBelow = is.allBelow || ALL_WRITTEN_BELOW.has(key)
      return [key, masked(one, { written: allBelow || WRITTEN.has(key), allBelow })]
    }),
  )
}

type Reader = Pick<Viewer, 'see_phones'> | null

/** Masks the phones in what people wrote, for viewers who may not see phones. */
export const withoutPhones = <T>(viewer: Reader, answer: T): T =>
  viewer === null || viewer.see_phones ? answer : (masked(answer, { written: false, allBelow: false }) as T)

/** The same for a call's answer. */
export const answerFor = (viewer: Reader, endpoint: Endpoint, answer: unknown): unknown =>
  ANSWERED_AS_IT_IS.has(endpoint) ? answer : withoutPhones(viewer, answer)

/** The name of a download. */
export const downloadNameFor = (viewer: NonNullable<Reader>, name: string): string =>
  encodeURIComponent(phonesFor(viewer)(name))
