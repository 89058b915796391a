import { expect, test } from 'vitest'
import { EVENTS_CHOSEN_MAX } from '#contract/link-user.ts'
import {
  choiceAmong,
  choiceOf,
  chosenAmong,
  filterOf,
  readEventChoice,
  readLinkUserState,
  writeEventChoice,
  writeLinkUserState,
} from './list-state.ts'

test.each([
  ['', { oneID: '', time: null, events: 'all', page: 1, page_size: 10 }],
  [
    'oneID=007&time=1%2C2&event=3%2C4&page=2&page_size=20',
    { oneID: '007', time: [1, 2], events: [3, 4], page: 2, page_size: 20 },
  ],
  ['not_event=5%2C6', { oneID: '', time: null, events: { but: [5, 6] }, page: 1, page_size: 10 }],
  ['event=none', { oneID: '', time: null, events: [], page: 1, page_size: 10 }],
] as const)('the URL %j and what the list shows say the same', (text, state) => {
  const params = new URLSearchParams(text)
  expect(readLinkUserState(params)).toEqual(state)
  expect(Object.fromEntries(writeLinkUserState(readLinkUserState(params)))).toEqual(Object.fromEntries(params))
})

test.each(['event=x', 'event=', 'event=-1,1.5'])('what %j says of events is no id, so all are meant', (text) => {
  expect(readEventChoice(new URLSearchParams(text)).events).toBe('all')
})

test('the calls get what is chosen, and nothing for all events', () => {
  expect(choiceOf({ time: null, events: 'all' })).toEqual({})
  expect(choiceOf({ time: [1, 2], events: [3, 4] })).toEqual({ startTime: 1, endTime: 2, event: '3,4' })
  expect(choiceOf({ time: null, events: { but: [3, 4] } })).toEqual({ not_event: '3,4' })
  expect(choiceOf({ time: null, events: [] })).toEqual({})
  expect(filterOf({ oneID: 'u1', time: null, events: 'all' })).toEqual({ oneID: 'u1' })
})

test('a choice leaves the rest of the URL as it is', () => {
  const params = writeEventChoice(new URLSearchParams('adv_id=3&time=1,2&event=4'), { time: null, events: [] })
  expect(params.toString()).toBe('adv_id=3&event=none')
})

test('of many events the shorter side is asked for, so that the call takes it', () => {
  const all = Array.from({ length: EVENTS_CHOSEN_MAX + 2 }, (_, at) => at + 1)
  const most = all.slice(1)
  expect(choiceAmong(all, all)).toBe('all')
  expect(choiceAmong(all, most)).toEqual({ but: [1] })
  expect(choiceAmong(all, [1, 2])).toEqual([1, 2])
  expect(choiceAmong(all.slice(0, 3), [1, 2])).toEqual([1, 2])
  for (const ids of [all, most, [1, 2], []]) expect(chosenAmong(all, choiceAmong(all, ids))).toEqual(ids)
})
