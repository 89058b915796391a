import { expect, test } from 'vitest'
import type { CustomChild, CustomStatus } from './audience.ts'
import type { CustomCrowd } from './custom-crowd.ts'
import { childRefusals, childSize, crowdRefusals, isUnderWay } from './custom-crowd-rules.ts'
import { outcome } from './outcome.ts'
import { AUDIENCE_CODES, PLATFORMS } from './platform.ts'

const child = (change: Partial<CustomChild> = {}): CustomChild => ({
  id: 2,
  is_children: true,
  cnt_id: 1,
  name: '老客',
  platform_name: '老客',
  tag_id: '99',
  cnt_type: PLATFORMS.social.code,
  adv_id: 7,
  adv_name: '腾讯账户',
  external_id: '9007',
  account_remark: '',
  status: 'available',
  reason: null,
  reason_outcome: null,
  push: null,
  last_push: null,
  user_count: 5,
  keeps_step: false,
  types: ['HASH_IMEI'],
  creator_id: 1,
  creator: '管理员',
  created_at: 0,
  ...change,
})
const crowd = (change: Partial<CustomCrowd> = {}): CustomCrowd => ({
  id: 1,
  is_children: false,
  name: '老客',
  tag_id: '1',
  status: 'available',
  reason: null,
  reason_outcome: null,
  retry_task_id: null,
  progress: null,
  stage: '',
  creator_id: 1,
  creator: '管理员',
  created_at: 0,
  adv_id: 3,
  adv_name: '品牌',
  dir_id: 1,
  user_id_type: 'HASH_IMEI',
  cnt_type: [...AUDIENCE_CODES],
  user_count: 10,
  matched: 1,
  counted_at: 0,
  unread_files: 0,
  unread_members: 0,
  invalid_share: null,
  control_share: null,
  audiences: [],
  ...change,
})
const running = { id: 1, progress: 0.5, stage: '发送', is_paused: false }

test.each<[CustomStatus, edit: boolean]>([
  ['available', true],
  ['frozen', true],
  ['computing', false],
  ['failed', false],
  ['expired', false],
])('a crowd or child that is %s can be edited: %s', (status, edit) => {
  const refusal = edit ? null : outcome('crowd_not_editable', { status })
  expect(crowdRefusals(crowd({ status })).edit).toEqual(refusal)
  expect(childRefusals(crowd(), child({ status })).edit).toEqual(refusal)
})

test('while one child is computed, neither the crowd nor its other children can be edited', () => {
  const parent = crowd({ audiences: [child(), child({ id: 3, status: 'computing', adv_name: '巨量账户' })] })
  const busy = outcome('crowd_not_editable_for_child', { child: '巨量账户' })
  expect(crowdRefusals(parent).edit).toEqual(busy)
  expect(childRefusals(parent, child()).edit).toEqual(busy)
  const paused = child({ status: 'computing', push: { ...running, is_paused: true } })
  expect(crowdRefusals(crowd({ audiences: [paused] })).edit).toBeNull()
})

test('a crowd without a platform, a result or identifiers cannot be pushed', () => {
  expect(crowdRefusals(crowd()).push).toBeNull()
  expect(crowdRefusals(crowd({ cnt_type: [] })).push).toEqual(outcome('type_without_platform'))
  expect(crowdRefusals(crowd({ status: 'computing', user_count: null })).push).toEqual(outcome('source_computing'))
  expect(crowdRefusals(crowd({ status: 'computing', user_count: 10 })).push).toBeNull()
  expect(crowdRefusals(crowd({ status: 'failed', user_count: null })).push).toEqual(outcome('source_failed_before'))
  expect(crowdRefusals(crowd({ user_count: 0 })).push).toEqual(outcome('source_without_identifiers'))
  expect(childRefusals(crowd(), child({ push: running })).push).toEqual(outcome('child_pushing'))
})

test('a crowd with children cannot be deleted, nor a child until its push ends or pauses', () => {
  expect(crowdRefusals(crowd()).delete).toBeNull()
  expect(crowdRefusals(crowd({ status: 'computing', user_count: null })).delete).toBeNull()
  expect(crowdRefusals(crowd({ audiences: [child()] })).delete).toEqual(outcome('crowd_has_children', { count: 1 }))
  expect(childRefusals(crowd(), child()).delete).toBeNull()
  expect(childRefusals(crowd(), child({ push: running })).delete).toEqual(outcome('child_pushing_not_deletable'))
  expect(childRefusals(crowd(), child({ push: { ...running, is_paused: true } })).delete).toBeNull()
})

test('only children can be viewed and only crowds can be moved', () => {
  expect(crowdRefusals(crowd())).toMatchObject({ move: null, view: outcome('crowd_viewed_by_children') })
  expect(childRefusals(crowd(), child())).toMatchObject({ view: null, move: outcome('child_moves_with_crowd') })
})

test.each<[CustomStatus, number | null]>([
  ['available', 5],
  ['frozen', 5],
  ['expired', 5],
  ['computing', null],
  ['failed', null],
])('a child that is %s has the size %s', (status, size) => {
  expect(childSize(child({ status }))).toBe(size)
})

test('the list is polled while a computation or push is running', () => {
  expect(isUnderWay(crowd({ audiences: [child()] }))).toBe(false)
  expect(isUnderWay(crowd({ status: 'computing' }))).toBe(true)
  expect(isUnderWay(crowd({ audiences: [child({ push: running })] }))).toBe(true)
  expect(isUnderWay(crowd({ audiences: [child({ push: { ...running, is_paused: true } })] }))).toBe(false)
})
