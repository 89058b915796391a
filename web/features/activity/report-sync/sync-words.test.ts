import { describe, expect, test } from 'vitest'
import { outcome } from '#contract/outcome.ts'
import { PLATFORMS } from '#contract/platform.ts'
import type { ReportAccount } from '#contract/report.ts'
import { formatNextAttempt, formatTime } from '../../../lib/format.ts'
import { accountsWords, accountWords, syncRefusal } from './sync-words.ts'

const account = (given: Partial<ReportAccount> = {}): ReportAccount => ({
  ...{
    account_id: 1,
    account_name: '甲',
    external_id: '9',
    platform: PLATFORMS.social.code,
    advertiser_id: 2,
    state: 'idle',
  },
  ...{ fail_outcome: null, is_auto: true, synced_at: null, failed_at: null, next_at: null },
  ...{ complete_to: null, missing_days: 0, plans_read_at: null, rest_outcome: null },
  ...given,
})
const never = outcome('report_never_authorised')
const throttled = outcome('platform_throttled')
const busy = outcome('report_tries_again', { at: 300, cause: throttled })
const closed = outcome('report_waits_for_authorisation', { cause: outcome('authorisation_expired') })

test.each([
  [
    'numbers are as old as those of the account that was read longest ago',
    [{}, { synced_at: 20 }, { synced_at: 10 }],
    { words: `平台数据同步于 ${formatTime(10)}`, problem: null },
  ],
  [
    'what waits and what nobody authorised is no problem',
    [
      { state: 'waiting', missing_days: 30 },
      { state: 'waiting', fail_outcome: busy },
      { state: 'paused', fail_outcome: never },
    ],
    { words: '平台数据还没有同步，1 个账户等待首次同步，1 个账户尚未授权', problem: null },
  ],
  [
    'what somebody has to act on is one',
    [{ state: 'paused', fail_outcome: closed }, { state: 'failed', fail_outcome: throttled }, {}],
    { words: '平台数据还没有同步', problem: '2 个账户有问题' },
  ],
] as const)('%s', (_, accounts, words) => {
  expect(accountsWords(accounts.map(account))).toEqual(words)
})

describe('reading now', () => {
  test.each([
    ['is possible while one account is open', [account(), account({ state: 'paused', fail_outcome: closed })], null],
    ['is possible after a failure', [account({ state: 'failed', fail_outcome: outcome('platform_throttled') })], null],
    ['waits for the reading under way', [account(), account({ state: 'waiting' })], '正在同步'],
    [
      'is possible while an account waits after a failure',
      [account({ state: 'waiting', fail_outcome: outcome('platform_throttled') })],
      null,
    ],
    [
      'is refused with the reason where no account is open',
      [account({ state: 'paused', fail_outcome: closed })],
      '授权已到期；重新授权后会自动补齐缺少的日期',
    ],
    ['is refused without accounts', [], '没有可以同步的账户'],
  ])('%s', (_, accounts, refusal) => {
    expect(syncRefusal(accounts)).toBe(refusal)
  })
})

test.each<[string, Partial<ReportAccount>, string]>([
  ['never authorised', { state: 'paused', fail_outcome: never }, '尚未授权，授权后会自动读取平台报表'],
  ['closed', { state: 'paused', fail_outcome: closed }, '授权已到期；重新授权后会自动补齐缺少的日期'],
  ['asked for', { state: 'waiting', missing_days: 30 }, '等待首次同步，还有 30 天'],
  ['read at first', { state: 'waiting', missing_days: 3, complete_to: '2026-11-01' }, '首次同步中，还有 3 天'],
  ['read again', { state: 'waiting', synced_at: 1 }, '同步中'],
  [
    'left after a failure',
    { state: 'waiting', fail_outcome: busy },
    `平台限流，稍后自动重试，${formatNextAttempt(300)}`,
  ],
  ['given up', { state: 'failed', fail_outcome: throttled, next_at: 9 }, `平台限流；下次自动同步 ${formatTime(9)}`],
  ['given up for good', { state: 'failed', fail_outcome: throttled }, '平台限流；不自动同步，可以点「同步」重试'],
  ['not read so far', { next_at: 9 }, `等待首次同步，${formatTime(9)} 自动开始`],
  ['not read daily', {}, '还没有同步过，不自动同步，可以点「同步」读取'],
  ['read', { synced_at: 1, next_at: 9 }, `同步于 ${formatTime(1)}；下次自动同步 ${formatTime(9)}`],
  ['read on demand', { synced_at: 1 }, `同步于 ${formatTime(1)}；不自动同步`],
])('an account that is %s has one sentence', (_, given, sentence) => {
  const words = accountWords(account(given))
  expect(words[0]).toBe(sentence)
  expect(words.slice(1).filter((one) => !/^(同步于|数据完整到) /.test(one))).toEqual([])
})

test('an account also says how far its numbers reach', () => {
  const given = { state: 'failed', fail_outcome: throttled, complete_to: '2026-11-27', synced_at: 1 } as const
  expect(accountWords(account(given)).slice(1)).toEqual([`同步于 ${formatTime(1)}`, '数据完整到 2026-11-27'])
})
