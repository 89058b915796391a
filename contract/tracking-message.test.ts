import { expect, test } from 'vitest'
import { sentenceOf } from './outcome.ts'
import { MESSAGE_BYTES_MAX, type ReadAt, readMessage } from './tracking-message.ts'
import { FLATTENED_BYTES_MAX, PROPERTIES_MAX } from './tracking-properties.ts'

const RECEIVED = Date.parse('2026-11-20T08:00:00.000Z')
const at = (more: Partial<ReadAt> = {}): ReadAt => ({
  receivedMs: RECEIVED,
  sentAt: undefined,
  kind: null,
  keyKind: 'server',
  newId: () => 'made',
  ...more,
})
const read = (given: unknown, more?: Partial<ReadAt>) => {
  const found = readMessage(given, at(more))
  return 'message' in found ? found.message : found.refused.code
}
const EVENT = { type: 'track', event: '支付', userId: 'u1', messageId: 'm1' }
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, no) => [`k${no}`, 1]))
const nested = (levels: number): unknown => (levels === 0 ? 1 : { in: nested(levels - 1) })

test.each<[string, unknown, string, Partial<ReadAt>?]>([
  ['no object', 'track', 'track_not_an_object'],
  ['a list', [EVENT], 'track_not_an_object'],
  ['no kind', { ...EVENT, type: undefined }, 'track_kind_unknown'],
  ['an unknown kind', { ...EVENT, type: 'delete' }, 'track_kind_unknown'],
  ['no person', { ...EVENT, userId: '' }, 'track_without_id'],
  ['an id that is no text', { ...EVENT, userId: { id: 1 } }, 'track_without_id'],
  ["a userId of anonymous ids' space", { ...EVENT, userId: 'anon:x' }, 'track_id_reserved'],
  ['a long userId', { ...EVENT, userId: '我'.repeat(200) }, 'row_id_too_long'],
  ['a long anonymousId', { ...EVENT, anonymousId: 'x'.repeat(510) }, 'row_id_too_long'],
  ['a long message id', { ...EVENT, messageId: 'x'.repeat(201) }, 'track_message_id_too_long'],
  ['no event', { ...EVENT, event: ' ' }, 'row_without_event'],
  ['a long event', { ...EVENT, event: '支'.repeat(201) }, 'row_event_too_long'],
  ['a long property name', { ...EVENT, properties: { a: { ['b'.repeat(200)]: 1 } } }, 'track_name_too_long'],
  [
    'a message of more than 32 KB',
    { ...EVENT, properties: { a: 'x'.repeat(MESSAGE_BYTES_MAX) } },
    'track_message_too_long',
  ],
  [
    'more than 32 KB in bytes alone',
    { ...EVENT, properties: { a: '我'.repeat(MESSAGE_BYTES_MAX / 3) } },
    'track_message_too_long',
  ],
  [
    'a long name around many values',
    { ...EVENT, properties: { ['x'.repeat(190)]: many(400) } },
    'track_flattened_too_long',
  ],
  [
    'a name that is long in bytes around many values',
    { ...EVENT, properties: { ['我'.repeat(190)]: many(120) } },
    'track_flattened_too_long',
  ],
  [
    'a name that is long when it is escaped around many values',
    { ...EVENT, properties: { ['\u0001'.repeat(190)]: many(60) } },
    'track_flattened_too_long',
  ],
  [
    'a long name around many traits',
    { ...EVENT, type: 'identify', traits: { ['x'.repeat(190)]: many(400) } },
    'track_flattened_too_long',
  ],
  ['more than 1,000 properties', { ...EVENT, properties: many(PROPERTIES_MAX + 1) }, 'track_too_many_properties'],
  [
    'more than 1,000 properties with those of its context',
    { ...EVENT, properties: many(PROPERTIES_MAX), context: { page: { path: '/' } } },
    'track_too_many_properties',
  ],
  ['eleven levels', { ...EVENT, properties: nested(10) }, 'input_too_deep'],
  ['half a character', { ...EVENT, properties: { a: '\ud800' } }, 'input_not_text'],
  ['a number that is no longer exact as an id', { ...EVENT, userId: 2 ** 53 }, 'track_id_not_exact'],
  ['a number beyond all bounds', { ...EVENT, properties: JSON.parse('{"a":{"b":1e999}}') }, 'track_number_too_large'],
  ['a day that the month does not have', { ...EVENT, timestamp: '2026-02-30T00:00:00Z' }, 'track_time_unreadable'],
  ['no time', { ...EVENT, timestamp: 'yesterday' }, 'track_time_unreadable'],
  ['a day that does not exist', { ...EVENT, timestamp: '2026-13-01T00:00:00Z' }, 'track_time_unreadable'],
  ['before 2000', { ...EVENT, timestamp: '1999-12-31T00:00:00Z' }, 'row_time_too_early'],
  ['more than a day ahead', { ...EVENT, timestamp: '2026-11-21T08:00:01Z' }, 'row_time_too_late'],
  ['a group without an id', { ...EVENT, type: 'group' }, 'track_without_group'],
  ['an alias without the old id', { ...EVENT, type: 'alias' }, 'track_alias_ids'],
  ['an alias by a page', { ...EVENT, type: 'alias', previousId: 'd1' }, 'track_page_alias', { keyKind: 'page' }],
  ['marks between cells in an id that is told of', { type: 'identify', userId: 'c1\u001ex' }, 'row_has_control'],
  ['… of a device', { type: 'identify', anonymousId: 'c\u001fx' }, 'row_has_control'],
  ['… of a message', { type: 'identify', userId: 'c2', messageId: 'm\u001e2' }, 'row_has_control'],
  ['marks between cells in traits', { ...EVENT, type: 'identify', traits: { a: 'b\u001fc' } }, 'row_has_control'],
])('%s is refused', (_, given, code, more) => {
  expect(read(given, more)).toBe(code)
  const found = readMessage(given, at(more))
  expect('refused' in found && sentenceOf(found.refused)).not.toContain('原因未知')
})

test.each<[string, string | undefined, string | undefined, string]>([
  ['without a time is when it was received', undefined, '2026-11-20T09:00:00Z', '2026-11-20T08:00:00.000Z'],
  ['by a right clock keeps its time', '2026-11-01T00:00:00Z', '2026-11-20T08:00:00.000Z', '2026-11-01T00:00:00.000Z'],
  ['by a clock an hour fast is put back', '2026-11-20T08:59:50Z', '2026-11-20T09:00:00Z', '2026-11-20T07:59:50.000Z'],
  ['by a clock years slow is put forward', '2001-01-01T00:00:00Z', '2001-01-01T00:00:05Z', '2026-11-20T07:59:55.000Z'],
  ['without a time of sending is taken as it is', '2026-11-20T07:00:00+08:00', undefined, '2026-11-19T23:00:00.000Z'],
  ['without a zone is UTC', '2026-11-20T07:00:00', undefined, '2026-11-20T07:00:00.000Z'],
])('an event %s', (_, timestamp, sentAt, expected) => {
  const found = readMessage({ ...EVENT, timestamp }, at({ sentAt }))
  expect('message' in found && new Date(found.message.ts).toISOString()).toBe(expected)
})

test('ten levels are kept, by dotted names', () => {
  expect(read({ ...EVENT, properties: nested(9) })).toMatchObject({ properties: { 'in.in.in.in.in.in.in.in.in': '1' } })
})

test('a track has its properties as text, and of its context what is kept', () => {
  expect(
    read({
      ...EVENT,
      userId: 7,
      anonymousId: 'd1',
      properties: {
        amount: 3.5,
        vip: true,
        none: null,
        empty: '',
        items: [{ sku: 1 }],
        deep: { a: { b: 'x' } },
        'page.path': '/own',
      },
      context: {
        page: { path: '/p', url: 'https://s/p', title: '商品' },
        campaign: { name: '双十一' },
        ip: '1.1.1.1',
        device: { id: 'x' },
      },
    }),
  ).toEqual({
    kind: 'track',
    message_id: 'm1',
    user_id: '7',
    anonymous_id: 'd1',
    previous_id: '',
    event: '支付',
    title: '商品',
    ts: RECEIVED,
    properties: {
      amount: '3.5',
      vip: 'true',
      items: '[{"sku":1}]',
      'deep.a.b': 'x',
      'page.path': '/own',
      'page.url': 'https://s/p',
      'page.title': '商品',
      'campaign.name': '双十一',
    },
  })
})

test.each<[string, object, object]>([
  [
    'page',
    { name: '首页', category: '商城' },
    { event: '浏览页面', title: '首页', properties: { name: '首页', category: '商城' } },
  ],
  ['page', { properties: { title: '标题' } }, { event: '浏览页面', title: '标题' }],
  ['screen', { name: '主屏' }, { event: '浏览屏幕', title: '主屏' }],
  ['group', { groupId: 'g1', traits: { plan: 'a' } }, { event: '加入群组', properties: { groupId: 'g1', plan: 'a' } }],
  [
    'identify',
    { traits: { city: '北京' }, context: { traits: { city: '上海', age: 3 } } },
    { event: '', properties: { city: '北京', age: '3' } },
  ],
  ['alias', { previousId: 'd1' }, { event: '', user_id: 'u1', previous_id: 'd1', properties: {} }],
])('a %s becomes %j', (kind, given, expected) => {
  expect(read({ userId: 'u1', messageId: 'm1', ...given }, { kind: kind as 'page' })).toMatchObject(expected)
})

test('a message without an id gets one, and a property may have any name', () => {
  const given = JSON.parse('{"type":"track","event":"a","userId":"u","properties":{"__proto__":"x","constructor":"y"}}')
  const found = read(given)
  expect(found).toMatchObject({ message_id: 'made' })
  expect(JSON.stringify((found as { properties: object }).properties)).toBe('{"__proto__":"x","constructor":"y"}')
})

test('a message at its bounds is kept, and its size is that of what is stored', () => {
  expect(read({ ...EVENT, properties: many(PROPERTIES_MAX) })).toMatchObject({ event: '支付' })
  // Whatever fits 32 KB without a name that is repeated fits when it is flattened.
  const long = 'x'.repeat(MESSAGE_BYTES_MAX - 200)
  expect(read({ ...EVENT, type: 'page', name: long })).toMatchObject({ title: long, properties: { name: long } })
  const sizes = [{ a: 1 }, { 我: '"' }, { ['x'.repeat(190)]: many(300) }].map((properties) => {
    const found = readMessage({ ...EVENT, properties }, at())
    return 'message' in found ? found.bytes : 0
  })
  const [least = 0, , most = 0] = sizes
  expect(sizes).toEqual([least, least + 3, expect.any(Number)])
  expect(most).toBeGreaterThan(300 * 190)
  expect(most).toBeLessThan(FLATTENED_BYTES_MAX)
})
