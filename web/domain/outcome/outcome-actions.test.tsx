import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { paths } from '../../lib/paths.ts'
import { OutcomeActions } from './OutcomeActions.tsx'

const cause = outcome('platform_refused', { text: '不行' })
const NOW = Date.UTC(2026, 10, 22, 12)

/** The words and links of the actions. */
function shown(outcomes: readonly (AnyOutcome | null)[], props: Partial<Parameters<typeof OutcomeActions>[0]> = {}) {
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <OutcomeActions outcomes={outcomes} {...props} />
    </MemoryRouter>,
  )
  return {
    words: html
      .replace(/<[^>]*>/g, ' ')
      .split(/\s{2,}/)
      .filter((word) => word.trim() !== ''),
    html,
  }
}
const on = { retry: () => {}, chooseOtherAccount: () => {} }

test.each<[string, AnyOutcome, string[]]>([
  ['a lost authorisation', outcome('authorisation_expired'), ['重新授权']],
  ['a full quota', outcome('platform_quota_exceeded', { cause }), ['去清理']],
  ['another platform’s account', outcome('account_of_other_platform', { account: 'a', platform: 'b' }), ['换一个账户']],
  ['a push that gave up', outcome('push_gave_up', { times: 30, cause }), ['重试']],
  ['a plain refusal', cause, []],
  ['text of older versions', outcome('legacy', { text: '请重新授权' }), []],
])('%s has its action', (_, given, words) => {
  expect(shown([given], { on }).words).toEqual(words)
})

test('a push that waits says how long', () => {
  vi.useFakeTimers({ now: NOW })
  const until = (seconds: number) => outcome('push_waits_until', { at: NOW / 1000 + seconds, when: '', cause })
  expect(shown([until(3 * 3600)]).words).toEqual(['还有 3 小时'])
  expect(shown([outcome('fault', { fault: 'pushRefused', words: {}, cause: until(90) })]).words).toEqual([
    '还有 1 分 30 秒',
  ])
  expect(shown([until(-5)]).words).toEqual(['即将继续'])
  vi.useRealTimers()
})

test('a retry is offered where the state allows one, and nowhere without a handler', () => {
  expect(shown([cause], { on, isRetryable: true }).words).toEqual(['重试'])
  expect(shown([null], { on, isRetryable: true }).words).toEqual(['重试'])
  expect(shown([outcome('push_gave_up', { times: 30, cause })]).words).toEqual([])
  expect(shown([outcome('account_of_other_platform', { account: 'a', platform: 'b' })]).words).toEqual([])
})

test('several problems give each action once; links lead to where it is done, in a new tab beside a dialog', () => {
  const full = outcome('child_quota_full', { account: 'a', platform: 'b', account_id: 7, capacity: 5 })
  const lost = outcome('authorisation_invalid')
  expect(shown([full, lost, full]).words).toEqual(['重新授权', '去清理'])
  expect(shown([full]).html).toContain('href="/basic-manage/index/advertiser-data?account_id=7&amp;panel=audiences"')
  expect(shown([outcome('platform_quota_exceeded', { cause })]).html).toContain(`href="${paths.customCrowd()}"`)
  expect(shown([lost]).html).toContain(`href="${paths.advertiserData()}"`)
  expect(shown([lost]).html).not.toContain('target')
  expect(shown([lost], { inNewTab: true }).html).toContain('target="_blank"')
})
