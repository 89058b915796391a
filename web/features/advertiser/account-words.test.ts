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

const revoked = (given: object) => ({
  name: '云杉巨量账户1',
  external_id: '9001',
  login: { id: 1, name: '云杉', accounts: 1 },
  audiences: 0,
  keeping_step: 0,
  pushes: 0,
  ...given,
})

test('names what stops when an authorisation is revoked', () => {
  expect(lossesOf([revoked({})])).toEqual([
    '登录「云杉」的令牌会立即删除。',
    '此账户上还没有人群包，也没有进行中的推送。',
  ])
})

test('names the accounts that are revoked together, and counts those that are not', () => {
  const login = { id: 1, name: '云杉', accounts: 3 }
  const both = [
    revoked({ login, audiences: 3, keeping_step: 1, pushes: 2 }),
    revoked({ login, name: '云杉巨量账户2', external_id: '9002', audiences: 1 }),
  ]
  expect(lossesOf(both)).toEqual([
    '2 个账户共用登录「云杉」的令牌，会一起撤销：云杉巨量账户1（9001）、云杉巨量账户2（9002）。',
    '此登录还有 1 个账户属于您不能更改的广告主，它们的授权与令牌保留。',
    '2 个未完成的推送会暂停，重新授权后自动继续。',
    '平台上的 4 个人群包保留，但不能再更新、改名或删除。',
    '其中 1 个不再随组合定向包自动更新。',
  ])
})
