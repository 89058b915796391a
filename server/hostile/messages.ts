import { MESSAGE_KINDS } from '#contract/tracking-message.ts'
import { ODD_VALUES } from './calls.ts'

/** More odd values, of messages. */
const ODD: Record<string, string> = {
  ...ODD_VALUES,
  'marks between cells': '"a\\u001e\\u001fb"',
  'a line break': '"a\\r\\nb"',
  'quotes and slashes': '"\'\\"\\\\`"',
  'a byte order mark': '"\\ufeffa"',
  emoji: '"👩‍👩‍👧"',
  '1e999': '1e999',
  'minus zero': '-0',
  '2^63': '9223372036854775808',
  'a day that does not exist': '"2026-02-30"',
  'the year 1': '"0001-01-01T00:00:00Z"',
  'the year 9999': '"9999-12-31T23:59:59Z"',
  'an anonymous id': '"anon:x"',
  'lists in lists': '[[["a"]],{"b":[null]}]',
  'keys of the prototype': '{"__proto__":"a","constructor":{"name":"b"},"toString":"c","hasOwnProperty":1}',
  'keys of our own': '{"$id":"x","$at":"y","$message_id":"z","":"e"," ":"f","a.b":1,"a":{"b":2}}',
  'a long key': `{${JSON.stringify('键'.repeat(300))}:1}`,
  'a key with a NUL': '{"a\\u0000":1}',
  'fifty keys': `{${Array.from({ length: 50 }, (_, no) => `"k${no}":1`)}}`,
  'a long key around many': `{${JSON.stringify('键'.repeat(190))}:{${Array.from({ length: 400 }, (_, no) => `"k${no}":1`)}}}`,
  '1,500 keys': `{${Array.from({ length: 1500 }, (_, no) => `"k${no}":1`)}}`,
  'a phone': '{"phone":["13800138000"],"name":{"first":"x"}}',
}

/** Fields of messages, with the dots of inner ones. */
const FIELDS = [
  ...[
    'type',
    'userId',
    'anonymousId',
    'previousId',
    'groupId',
    'messageId',
    'timestamp',
    'originalTimestamp',
    'sentAt',
  ],
  ...['event', 'name', 'category', 'channel', 'integrations', 'properties', 'properties.odd', 'traits', 'traits.odd'],
  ...[
    'traits.phone',
    'traits.name',
    'context',
    'context.page',
    'context.page.url',
    'context.campaign.id',
    'context.traits',
  ],
]

export interface OddMessages {
  /** What is odd about them. */
  what: string
  /** One of each kind, as JSON. */
  messages: string[]
}

/** Messages of each kind that fit but for one odd value, by what is odd. */
export const oddMessages = (): OddMessages[] =>
  FIELDS.flatMap((field) =>
    Object.entries(ODD).map(([what, value], no) => ({
      what: `${what} as ${field}`,
      messages: MESSAGE_KINDS.map((kind) => messageWith(kind, field, value, no)),
    })),
  )

function messageWith(kind: string, field: string, value: string, no: number): string {
  const fitting = {
    ...{ type: kind, userId: `odd${no}`, anonymousId: `device${no}`, event: '奇怪', groupId: 'g' },
    ...(kind === 'alias' ? { previousId: `before${no}` } : {}),
    properties: { price: 1 },
    traits: { city: '北京' },
  }
  const [outer = '', ...inner] = field.split('.')
  const { [outer]: _, ...rest } = fitting as Record<string, unknown>
  const nested = inner.reduceRight((json, key) => `{${JSON.stringify(key)}:${json}}`, value)
  return `{${JSON.stringify(rest).slice(1, -1)},${JSON.stringify(outer)}:${nested}}`
}
