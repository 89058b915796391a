import { expect, test } from 'vitest'
import type { PlatformPlan } from '#contract/activity/there.ts'
import { PLATFORMS, type PlatformCode } from '#contract/platform.ts'
import { shownPlan, type ThereRow } from './row.ts'

const found: PlatformPlan = {
  ...{ plan_id: '1', name: '计划', status: 0, is_on: true },
  budget: { mode: 'day', fen: 50_000 },
}
const row = (given: Partial<ThereRow>) => ({ state: 'idle', found, agreed: null, is_gone: false, ...given }) as ThereRow
const nameOf = (platform: PlatformCode, is_submitted: boolean, given: Partial<ThereRow> = {}) =>
  shownPlan(
    { is_submitted, is_open: 1 },
    { name: '计划', platform, is_open: 1, start_date: null, end_date: null, budget_mode: 'day', budget: 50_000 },
    row(given),
    '2026-11-20',
  ).plan_status_name

test.each([
  ['waits for the review of its platform', PLATFORMS.commerce.code, true, {}, '审核中'],
  ['waits for the review of the social platform', PLATFORMS.social.code, true, {}, '未审核'],
  ['is a draft', PLATFORMS.commerce.code, false, {}, '未提交'],
  ['is being changed, so that what is wanted counts', PLATFORMS.commerce.code, true, { state: 'waiting' }, '启用'],
] as const)('a plan that %s', (_, platform, is_submitted, given, name) => {
  expect(nameOf(platform, is_submitted, given)).toBe(name)
})
