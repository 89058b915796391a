import { describe, expect, test } from 'vitest'
import { outcome } from '#contract/outcome.ts'
import { PLATFORMS } from '#contract/platform.ts'
import type { ReportAccount } from '#contract/report.ts'
import { accountWords, lastSync, syncRefusal } from './sync-words.ts'

const account = (given: Partial<ReportAccount> = {}): ReportAccount => ({
  ...{ account_id: 1, account_name: '甲', platform: PLATFORMS.social.code, advertiser_id: 2, state: 'idle' },
  ...{ fail_outcome: null, is_auto: true, synced_at: null, failed_at: null, next_at: null },
  ...{ complete_to: null, missing_days: 0, rest_outcome: null },
  ...given,
})
const closed = outcome('report_waits_for_authorisation', { cause: outcome('authorisation_expired') })

test('numbers are as old as those of the account that was read longest ago', () => {
  expect(lastSync([])).toBeNull()
  expect(lastSync([account(), account({ synced_at: 20 }), account({ synced_at: 10 })])).toBe(10)
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

test('an account says what is under way, why it failed, and until when its days are complete', () => {
  expect(accountWords(account())).toEqual(['还没有同步过', '不自动同步'])
  expect(accountWords(account({ state: 'waiting', missing_days: 3 }))[0]).toBe('同步中，还有 3 天')
  const words = accountWords(
    account({ state: 'failed', fail_outcome: outcome('platform_throttled'), complete_to: '2026-11-27', synced_at: 1 }),
  )
  expect(words).toContain('平台限流')
  expect(words).toContain('数据完整到 2026-11-27')
})
