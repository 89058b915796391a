import { expect, test } from 'vitest'
import type { Funnel } from '#contract/custom-crowd.ts'
import { PLATFORMS } from '#contract/platform.ts'
import { accountSteps, crowdSteps, unbalancedSteps } from './funnel-steps.ts'

const account: Funnel['accounts'][number] = {
  child_id: 1,
  account_id: 2,
  account_name: '腾讯账户',
  external_id: '9007',
  cnt_type: PLATFORMS.social.code,
  unique: 910,
  sent: 700,
  suppressed: 50,
  no_consent: 30,
  held_out: 10,
  not_sendable: 20,
  waiting: 100,
  accepted: 690,
  covered: 500,
  at: 0,
}
const funnel: Funnel = {
  lines: 1300,
  malformed: 100,
  duplicate: 200,
  valid: 1000,
  repeated: 60,
  removed: 40,
  unique: 900,
  counted_at: 0,
  accounts: [account],
}
const reasons = (steps: ReturnType<typeof crowdSteps>) =>
  steps.flatMap((step) => step.losses.map((loss) => `${step.label} ${loss.reason} ${loss.count}`))

test('each step is the one before minus its losses', () => {
  expect(unbalancedSteps(crowdSteps(funnel))).toEqual([])
  expect(unbalancedSteps(accountSteps(account))).toEqual([])
  expect(reasons(crowdSteps(funnel))).toEqual([
    '有效 无效行 100',
    '有效 同次上传中重复 200',
    '去重 此前已有 60',
    '去重 被删减 40',
  ])
  expect(reasons(accountSteps(account))).toEqual([
    '已发送 屏蔽名单 50',
    '已发送 用户不同意 30',
    '已发送 对照组 10',
    '已发送 平台不支持此类标识 20',
    '已发送 待发送 100',
    '平台接收 平台未接收 10',
    '覆盖 平台未匹配到用户 190',
  ])
})

test('finds a report that does not add up', () => {
  expect(unbalancedSteps(crowdSteps({ ...funnel, malformed: 99 })).map((step) => step.key)).toEqual(['valid'])
  expect(unbalancedSteps(accountSteps({ ...account, waiting: 0 })).map((step) => step.key)).toEqual(['sent'])
})

test('a missing answer of a platform is no loss', () => {
  const steps = accountSteps({ ...account, accepted: null, covered: null })
  expect(steps.map((step) => step.value)).toEqual([910, 700, null, null])
  expect(reasons(steps)).toHaveLength(5)
  expect(unbalancedSteps(steps)).toEqual([])
})

test('a platform may cover more people than it accepted identifiers', () => {
  const covered = accountSteps({ ...account, covered: 1000 }).at(-1)
  expect(covered).toMatchObject({ value: 1000, losses: [], gain: 310 })
  expect(unbalancedSteps(accountSteps({ ...account, covered: 1000 }))).toEqual([])
})
