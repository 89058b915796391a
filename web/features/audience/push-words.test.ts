import { expect, test } from 'vitest'
import type { CustomChild } from '#contract/audience.ts'
import { PLATFORMS } from '#contract/platform.ts'
import type { PushState } from '#contract/push-status.ts'
import { platformChips, pushWords } from './push-words.ts'

const SOCIAL = PLATFORMS.social.code
const VIDEO = PLATFORMS.video.code
const pushed = (state: PushState, given: Partial<CustomChild> = {}) =>
  ({
    ...{ cnt_type: SOCIAL, adv_name: '账户', status: 'available', reason: null, push: null },
    ...{ last_push: { id: 1, state, next_at: null }, ...given },
  }) as CustomChild
const chipsOf = (...audiences: CustomChild[]) =>
  platformChips(audiences).map(({ platform, accounts, words, tone }) => [platform, accounts, words, tone])

test.each([
  ['waiting', '等待推送', 'waiting'],
  ['running', '推送中', 'running'],
  ['retrying', '等待重试', 'waiting'],
  ['paused', '推送已暂停', 'waiting'],
  ['done', '推送成功', 'done'],
  ['failed', '推送失败', 'failed'],
  ['cancelled', '推送已取消', 'idle'],
] as const)('the list says of a push that is %s: %s', (state, words, tone) => {
  expect(chipsOf(pushed(state))).toEqual([[SOCIAL, 1, words, tone]])
})

test('a platform shows the account that needs attention first, and says how many there are', () => {
  const failed = pushed('failed', { adv_name: '出错的', reason: '授权已失效' })
  const chips = platformChips([pushed('done'), pushed('running'), failed, pushed('done', { cnt_type: VIDEO })])
  expect(chips.map(({ platform, accounts, words, tone }) => [platform, accounts, words, tone])).toEqual([
    [SOCIAL, 3, '推送失败', 'failed'],
    [VIDEO, 1, '推送成功', 'done'],
  ])
  expect(chips[0]?.title).toBe('出错的：推送失败（共 3 个账户）\n授权已失效')
})

test('an audience that the platform froze comes before failed pushes, also when its push succeeded', () => {
  expect(chipsOf(pushed('failed'), pushed('done', { status: 'frozen' }))).toEqual([[SOCIAL, 2, '已冻结', 'idle']])
  expect(chipsOf(pushed('running', { status: 'failed' }))).toEqual([[SOCIAL, 1, '推送中', 'running']])
})

test('a crowd that was never pushed has no chips', () => expect(platformChips([])).toEqual([]))

test('a running push tells its progress, and one that waits when it goes on', () => {
  const push = { id: 1, progress: 0.456, stage: '', is_paused: false }
  expect(pushWords(pushed('running', { push }))).toBe('推送中 45%')
  const next_at = Date.UTC(2026, 0, 2, 3, 4) / 1000
  expect(pushWords(pushed('retrying', { last_push: { id: 1, state: 'retrying', next_at } }))).toBe(
    '等待重试，下次尝试 01-02 11:04',
  )
  expect(pushWords({ push: null, last_push: null })).toBeNull()
})
