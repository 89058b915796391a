import { expect, test } from 'vitest'
import { concernOf, endingWords, lossesOf } from './account-words.ts'

const NOW = 1_000_000
const DAY = 86_400
const standing = (given: object) => ({
  state: 'authorised' as const,
  expires_at: NOW + 30 * DAY,
  scope_list: ['all'],
  ...given,
})

test.each([
  [{}, null, null],
  [{ expires_at: NOW + 7 * DAY }, null, null],
  [{ expires_at: NOW + 7 * DAY - 1 }, 'ending', '还有 6 天到期'],
  [{ expires_at: NOW + 5 * 3600 }, 'ending', '还有 5 小时到期'],
  [{ expires_at: NOW + 60 }, 'ending', '不到 1 小时后到期'],
  [{ expires_at: null }, null, null],
  [{ scope_list: [] }, 'powerless', null],
  [{ state: 'invalid' as const }, 'broken', null],
  [{ state: 'expired' as const, expires_at: NOW - 1 }, 'broken', null],
  [{ state: 'revoked' as const, scope_list: [] }, null, null],
  [{ state: 'none' as const, scope_list: [] }, null, null],
])('%o is %s', (given, concern, words) => {
  expect(concernOf(standing(given), NOW)).toBe(concern)
  expect(endingWords(standing(given), NOW)).toBe(words)
})

test('names what stops when an authorisation is revoked', () => {
  const nothing = { audiences: 0, keeping_step: 0, pushes: 0 }
  expect(lossesOf({ ...nothing, login: { name: '云杉', accounts: 1 } })).toEqual([
    '登录「云杉」的令牌会立即删除。',
    '此账户上还没有人群包，也没有进行中的推送。',
  ])
  expect(lossesOf({ audiences: 3, keeping_step: 1, pushes: 2, login: { name: '云杉', accounts: 4 } })).toEqual([
    '此账户不再使用登录「云杉」的令牌；该登录下另外 3 个账户的授权保留。',
    '2 个未完成的推送会暂停，重新授权后自动继续。',
    '平台上的 3 个人群包保留，但不能再更新、改名或删除。',
    '其中 1 个不再随规则人群自动更新。',
  ])
})
