import { expect, test } from 'vitest'
import { networkErrors, networkReason } from './network-reason.ts'

const coded = (code: string, message = '') => Object.assign(new Error(message), { code })

test.each([
  ['a known code', coded('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1'), 'ECONNREFUSED'],
  ['an unknown code', coded('ESOMETHING', 'request timed out'), null],
  ['a driver that stopped waiting', new Error('timeout expired'), 'ETIMEDOUT'],
  ['an error without a code', new Error('socket hang up'), null],
])('%s', (_, error, code) => {
  expect(networkErrors(error)).toEqual([{ code, text: error.message }])
})

test('each address of a name has its error, and equal ones are said once', () => {
  const refused = coded('ECONNREFUSED', 'connect ECONNREFUSED ::1:1')
  const error = new AggregateError([refused, refused, coded('ENETUNREACH')])
  expect(networkErrors(error)).toHaveLength(3)
  expect(networkReason(error)).toBe('那里没有程序在监听（connect ECONNREFUSED ::1:1）；网络不通（ENETUNREACH）')
})
