import { expect, type Page } from '@playwright/test'
import { outcome } from '#contract/outcome.ts'
import { TAGS_MAX } from '#contract/targeting/common.ts'
import type { Field } from '#contract/targeting/five-tab/fields.ts'
import { FANS_MAX, type FiveTabForm } from '#contract/targeting/five-tab/schema.ts'
import type { ClickCase, KeptCase } from './cases.ts'
import { boxes, choose, chosenOf, freeBox, openTab, radios, tick } from './hands.ts'

type Case = ClickCase<Field>
const full = (field: Field, max = TAGS_MAX) => outcome('targeting_picker_full', { field, max })

/** On the video engine's editor, with an account that has no crowd. */
export const VIDEO_CLICKS: readonly Case[] = [
  {
    title: 'no career',
    field: 'career',
    reason: outcome('targeting_career_missing', {}),
    act: (page) => choose(page, '按职业状态', '自定义'),
    undo: (page) => choose(page, '按职业状态', '不限'),
  },
  {
    title: 'no region',
    field: 'regions',
    reason: outcome('targeting_region_missing', {}),
    act: (page) => choose(page, '地理位置', '省市'),
    undo: (page) => choose(page, '地理位置', '不限'),
  },
  {
    title: 'no place on the map',
    field: 'custom_locations',
    reason: outcome('targeting_region_missing', {}),
    act: (page) => choose(page, '地理位置', '商圈'),
    undo: (page) => choose(page, '地理位置', '不限'),
  },
  {
    title: 'neither a behaviour nor an interest',
    field: 'action_tags',
    reason: outcome('targeting_behaviour_missing', {}),
    act: (page) => choose(page, '行为兴趣', '自定义'),
    undo: (page) => choose(page, '行为兴趣', '不限'),
  },
  {
    title: 'an empty list of crowds',
    field: 'auto_crowd_mode',
    reason: outcome('targeting_crowd_list_empty', {}),
    async act(page) {
      await page.getByRole('checkbox', { name: '定向人群' }).check()
      await expect(page.getByText('自定义人群列表暂无数据').first()).toBeVisible()
    },
    undo: (page) => page.getByRole('checkbox', { name: '定向人群' }).uncheck(),
  },
  {
    title: 'no brand',
    field: 'device_brand',
    reason: outcome('targeting_brand_missing', {}),
    act: (page) => choose(page, '按手机品牌', '自定义'),
    undo: (page) => choose(page, '按手机品牌', '不限'),
  },
  {
    title: 'a price without a width',
    field: 'launch_price',
    reason: outcome('targeting_price_reversed', {}),
    async act(page) {
      await choose(page, '按手机价格', '自定义')
      await page.getByRole('button', { name: '6000-8000' }).click()
      for (let step = 0; step < 4; step++) await page.getByRole('slider', { name: '最低价格' }).press('ArrowRight')
    },
    undo: (page) => choose(page, '按手机价格', '不限'),
  },
  {
    title: 'no behaviour of users',
    field: 'aweme_fan_behaviors',
    reason: outcome('targeting_fan_behaviour_missing', {}),
    async act(page) {
      await choose(page, '抖音达人', '自定义')
      await tick(page, '用户行为类型', '视频互动-已评论用户', false)
    },
    async undo(page) {
      await tick(page, '用户行为类型', '视频互动-已评论用户')
      await choose(page, '抖音达人', '不限')
    },
  },
  {
    title: 'neither a creator nor a category of creators',
    field: 'user_aweme_fan',
    reason: outcome('targeting_fan_missing', {}),
    act: (page) => choose(page, '抖音达人', '自定义'),
    undo: (page) => choose(page, '抖音达人', '不限'),
  },
  {
    title: 'nothing to open',
    field: 'auto_extend_targets',
    reason: outcome('targeting_open_target_missing', {}),
    act: (page) => choose(page, '智能放量', '启用'),
    undo: (page) => choose(page, '智能放量', '不启用'),
  },
  {
    title: 'opening what is not restricted',
    field: 'auto_extend_targets',
    reason: outcome('targeting_open_target_unrestricted', { target: 'AGE' }),
    async act(page) {
      await choose(page, '智能放量', '启用')
      await tick(page, '可开放定向', '年龄 未限定')
    },
    undo: (page) => choose(page, '智能放量', '不启用'),
  },
]

const crowds = (page: Page, roles: readonly string[], isOn: boolean) =>
  roles.reduce<Promise<void>>(
    (before, name) => before.then(() => page.getByRole('checkbox', { name, exact: true }).setChecked(isOn)),
    Promise.resolve(),
  )
const noCrowd = (title: string, reason: Case['reason'], roles: readonly string[]): Case => ({
  title,
  field: 'auto_crowd_mode',
  reason,
  act: (page) => crowds(page, roles, true),
  undo: (page) => crowds(page, roles, false),
})
/** On the editor of 巨量千川, whose accounts have crowds. */
export const COMMERCE_CLICKS: readonly Case[] = [
  noCrowd('no crowd to aim at', outcome('targeting_include_missing', {}), ['定向人群']),
  noCrowd('no crowd to leave out', outcome('targeting_exclude_missing', {}), ['排除人群']),
  noCrowd('no crowd in either panel', outcome('targeting_crowds_missing', {}), ['定向人群', '排除人群']),
]

const ids = (count: number, from = 1) => Array.from({ length: count }, (_, no) => String(from + no))
const tags = (count: number) => ids(count).map((id) => ({ id, type: 1 as const }))
const fans = (count: number) => ids(count).map((value) => ({ type: 'category' as const, value }))
const SHANGHAI: Partial<FiveTabForm> = {
  landing_type: 'APP_ANDROID',
  district: ['CITY'],
  regions: { regions: ['310000'], regionsPlan: [] },
}

/** A picker that holds all it may hold takes no more. */
async function staysFull(page: Page, name: string, max: number, more: () => Promise<void>, label = name) {
  const chosen = chosenOf(page, `已选${name}`)
  await expect(chosen).toContainText(`已选${name} ${max}/${max}`)
  await more()
  await expect(page.getByText(`${label}最多选择${max}项`)).toBeVisible()
  await expect(chosen).toContainText(`已选${name} ${max}/${max}`)
}
const fullTags = (noun: string) => async (page: Page) => {
  await openTab(page, '用户行为')
  await staysFull(page, noun, TAGS_MAX, () => freeBox(page, `${noun}类目`).click())
}
const crowd = (page: Page, noun: string, no: number) =>
  page
    .getByRole('list', { name: `可选的${noun}` })
    .getByRole('checkbox')
    .nth(no)

export const VIDEO_KEPT: readonly KeptCase<Field, FiveTabForm>[] = [
  {
    title: 'what the controls clear, and more than each list holds',
    form: {
      ...SHANGHAI,
      age: ['AGE_ABOVE_50', 'AGE_ABOVE_60'],
      location_types: [],
      smart_interest_action: 'CUSTOM',
      action_tags: tags(TAGS_MAX + 1),
      interest_tags: tags(TAGS_MAX + 1),
      platform: ['PC', 'IOS'],
      device_brand_by: ['CUSTOM'],
      device_brand: ['APPLE'],
      aweme_fan_by: 1,
      user_aweme_fan: fans(FANS_MAX + 1),
    },
    edge: {
      ...SHANGHAI,
      smart_interest_action: 'CUSTOM',
      action_tags: tags(TAGS_MAX),
      device_brand_by: ['CUSTOM'],
      device_brand: ['HUAWEI'],
      aweme_fan_by: 1,
      user_aweme_fan: fans(FANS_MAX),
    },
    says: {
      age: {
        reason: outcome('targeting_ages_mixed', {}),
        async prevents(page) {
          await openTab(page, '人口学属性')
          await tick(page, '年龄', '50 岁及以上')
          await tick(page, '年龄', '60 岁及以上')
          await expect(boxes(page, '年龄').getByRole('checkbox', { name: '50 岁及以上' })).not.toBeChecked()
        },
      },
      location_types: {
        reason: outcome('targeting_location_type_missing', {}),
        async prevents(page) {
          await expect(radios(page, '地点类型').getByRole('radio', { checked: true })).toHaveCount(1)
          await expect(radios(page, '地点类型').getByRole('radio', { name: '不限' })).toHaveCount(0)
        },
      },
      action_tags: { reason: full('action_tags'), prevents: fullTags('行为') },
      interest_tags: { reason: full('interest_tags'), prevents: { like: 'action_tags' } },
      device_brand: {
        reason: outcome('targeting_choice_ruled_out', { field: 'device_brand', code: 'APPLE' }),
        async prevents(page) {
          await openTab(page, '设备定向')
          await expect(boxes(page, '手机品牌').getByRole('checkbox', { name: '华为' })).toBeChecked()
          await expect(boxes(page, '手机品牌').getByRole('checkbox', { name: '苹果' })).toHaveCount(0)
        },
      },
      platform: {
        reason: outcome('targeting_platforms_mixed', {}),
        async prevents(page) {
          await openTab(page, '设备定向')
          await tick(page, '平台', 'iOS')
          await tick(page, '平台', 'PC')
          await expect(boxes(page, '平台').getByRole('checkbox', { name: 'iOS' })).not.toBeChecked()
        },
      },
      user_aweme_fan: {
        reason: full('user_aweme_fan', FANS_MAX),
        async prevents(page) {
          await openTab(page, '特殊定向')
          await staysFull(page, '达人', FANS_MAX, () => freeBox(page, '达人分类').click(), '达人分类和抖音达人')
          await page.getByRole('tree', { name: '达人分类' }).locator('.ant-tree-node-content-wrapper').first().click()
          const creators = page.getByRole('list', { name: '可选的抖音达人' })
          await expect(creators.getByRole('checkbox').first()).toBeDisabled()
        },
      },
    },
  },
  {
    title: 'a system that the package type rules out',
    form: { landing_type: 'APP_ANDROID', platform: ['HARMONY'] },
    edge: { landing_type: 'APP_ANDROID' },
    says: {
      platform: {
        reason: outcome('targeting_choice_ruled_out', { field: 'platform', code: 'HARMONY' }),
        async prevents(page) {
          await openTab(page, '设备定向')
          await expect(boxes(page, '平台').getByRole('checkbox', { name: 'Android' })).toBeVisible()
          await expect(boxes(page, '平台').getByRole('checkbox', { name: 'HarmonyOS' })).toHaveCount(0)
        },
      },
    },
  },
]

export const COMMERCE_KEPT: readonly KeptCase<Field, FiveTabForm>[] = [
  {
    title: 'more crowds than fit, one of them in both panels',
    form: {
      landing_type: 'LIVE',
      auto_crowd_mode: [1, 2],
      retargeting_tags_include: ids(TAGS_MAX + 1),
      retargeting_tags_exclude: ids(TAGS_MAX + 1, TAGS_MAX + 1),
    },
    edge: {
      landing_type: 'LIVE',
      auto_crowd_mode: [1, 2],
      retargeting_tags_include: ids(TAGS_MAX - 1),
      retargeting_tags_exclude: ['1000'],
    },
    says: {
      auto_crowd_mode: {
        reason: outcome('targeting_crowd_twice', {}),
        async prevents(page) {
          await openTab(page, '自定义人群')
          await crowd(page, '定向人群', 0).check()
          await expect(crowd(page, '排除人群', 0)).toBeDisabled()
        },
      },
      retargeting_tags_include: {
        reason: full('retargeting_tags_include'),
        prevents: (page) => staysFull(page, '定向人群', TAGS_MAX, () => crowd(page, '定向人群', 1).click()),
      },
      retargeting_tags_exclude: {
        reason: full('retargeting_tags_exclude'),
        prevents: { like: 'retargeting_tags_include' },
      },
    },
  },
]
