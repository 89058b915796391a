import { expect, test } from 'vitest'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import { AppError } from './errors.ts'

const expired = outcome('authorisation_expired')

test.each([
  [
    'without words',
    new AppError('nameTaken'),
    { code: 'fault', params: { fault: 'nameTaken', words: {} } },
    '同级目录下不允许重名',
  ],
  [
    'with a word',
    new AppError('notFound', { what: '人群' }),
    { code: 'fault', params: { fault: 'notFound', words: { what: '人群' } } },
    '人群不存在或已被删除',
  ],
  ['that is only its reason', new AppError('platformClosed', { reason: expired }), expired, '授权已到期'],
  [
    'with a word and a reason',
    new AppError('platformRefused', { platform: '腾讯广告', reason: expired }),
    { code: 'fault', params: { fault: 'platformRefused', words: { platform: '腾讯广告' }, cause: expired } },
    '腾讯广告没有完成此操作：授权已到期',
  ],
])('the outcome of a fault %s has the message as its sentence', (_, error, expected, message) => {
  expect(error.outcome).toEqual(expected)
  expect(error.message).toBe(message)
  expect(sentenceOf(JSON.parse(JSON.stringify(error.outcome)))).toBe(message)
})
