import { expect, type Page } from '@playwright/test'
import { outcome } from '#contract/outcome.ts'
import { TAGS_MAX } from '#contract/targeting/common.ts'
import { FIELDS, type Field } from '#contract/targeting/social/fields.ts'
import { AGE, COMMUNITY_PRICE, CONVERSIONS_MAX, LOCATION_TYPES_MAX } from '#contract/targeting/social/platform.ts'
import type { SocialForm } from '#contract/targeting/social/schema.ts'
import type { ClickCase, KeptCase } from './cases.ts'
import { boxes, choose, chosenOf, freeBox, openTab, pick, radios } from './hands.ts'

type Case = ClickCase<Field>
const empty = (field: Field) => outcome('social_dimension_empty', { field })
const full = (field: Field, max: number) => outcome('social_picker_full', { field, max })
const label = (field: Field) => FIELDS[field].label

/** 自定义 without a value. */
const custom = (field: Field, title = `${field} without a value`): Case => ({
  title,
  field,
  reason: empty(field),
  act: (page) => choose(page, label(field), '自定义'),
  undo: (page) => choose(page, label(field), '不限'),
})

const byRegion = (page: Page) => choose(page, '地理位置', '按地域')
const anywhere = (page: Page) => choose(page, '地理位置', '不限')
/** More ways of being at a place than fit, beside the one that is chosen at first. */
const MORE_WAYS = ['去过', '近期', '旅行', '预估实时位置', 'CAA 近期']

const PLACE: Case[] = [
  { title: 'no region', field: 'regions', reason: empty('regions'), act: byRegion, undo: anywhere },
  {
    title: 'no place on the map',
    field: 'custom_locations',
    reason: empty('custom_locations'),
    act: (page) => choose(page, '地理位置', '按商圈与地点'),
    undo: anywhere,
  },
  {
    title: 'no way of being there',
    field: 'location_types',
    reason: empty('location_types'),
    async act(page) {
      await byRegion(page)
      await page.getByRole('checkbox', { name: '常住', exact: true }).uncheck()
    },
    async undo(page) {
      await page.getByRole('checkbox', { name: '常住', exact: true }).check()
      await anywhere(page)
    },
  },
  {
    title: 'too many ways of being there',
    field: 'location_types',
    reason: full('location_types', LOCATION_TYPES_MAX),
    async act(page) {
      await byRegion(page)
      for (const name of MORE_WAYS) await page.getByRole('checkbox', { name, exact: true }).check()
    },
    async undo(page) {
      for (const name of MORE_WAYS) await page.getByRole('checkbox', { name, exact: true }).uncheck()
      await anywhere(page)
    },
  },
]

const WITHOUT_VALUE = [
  'age',
  'education',
  'marital_status',
  'working_status',
  'financial_situation',
  'consumption_type',
  'game_consumption_level',
  'consumption_status',
  'residential_community_price',
] as const

const DEMOGRAPHY: Case[] = [
  ...WITHOUT_VALUE.map((field) => custom(field)),
  {
    title: 'a range of ages that is too narrow',
    field: 'age',
    reason: outcome('social_age_narrow', {}),
    async act(page) {
      await choose(page, '年龄', '自定义')
      await page.getByRole('button', { name: /添加年龄段/ }).click()
      // Lists show what is near the chosen age.
      await pick(page, '最小年龄', '24 岁')
      await pick(page, '最大年龄', '27 岁')
    },
    undo: (page) => choose(page, '年龄', '不限'),
  },
  {
    title: 'a community price from above to below',
    field: 'residential_community_price',
    reason: outcome('social_price_reversed', {}),
    async act(page) {
      await choose(page, '居住社区价格', '自定义')
      await page.getByRole('button', { name: /添加价格段/ }).click()
      await page.getByLabel('最低价格').fill('60000')
      await page.getByLabel('最低价格').blur()
    },
    undo: (page) => choose(page, '居住社区价格', '不限'),
  },
]

const BEHAVIOUR: Case[] = [
  custom('behavior'),
  custom('interest'),
  custom('intention'),
  {
    title: 'no scene of behaviours',
    field: 'behavior_scene',
    reason: empty('behavior_scene'),
    async act(page) {
      await choose(page, '行为', '自定义')
      await page.getByRole('combobox', { name: '行为场景' }).press('Backspace')
    },
    undo: (page) => choose(page, '行为', '不限'),
  },
]

const CONVERSION: Case[] = [
  {
    title: 'no conversion',
    field: 'conversion_behavior_list',
    reason: empty('conversion_behavior_list'),
    async act(page) {
      await choose(page, '排除已转化用户', '同账号广告')
      await choose(page, '转化行为', '自定义')
    },
    undo: (page) => choose(page, '排除已转化用户', '不排除'),
  },
]

export const SOCIAL_CLICKS: readonly Case[] = [...PLACE, ...DEMOGRAPHY, ...BEHAVIOUR, ...CONVERSION]

/** On an account that has no crowd yet. */
export const SOCIAL_NO_CROWDS: readonly Case[] = (['custom_audience', 'excluded_custom_audience'] as const).map(
  (field) => ({
    ...custom(field, `${field} of an empty list`),
    reason: outcome('targeting_crowd_list_empty', {}),
    async act(page: Page) {
      await choose(page, label(field), '自定义')
      await expect(page.getByText('自定义人群列表暂无数据').first()).toBeVisible()
    },
  }),
)
/** On an account that has some. */
export const SOCIAL_CROWDS: readonly Case[] = [custom('custom_audience'), custom('excluded_custom_audience')]

const ids = (count: number, from = 1) => Array.from({ length: count }, (_, no) => String(from + no))
const tags = (count: number) => ids(count).map((id) => ({ id }))
const words = (count: number) => ids(count).map((no) => `词${no}`)
const ages = (count: number) => Array.from({ length: count }, (_, no) => ({ min: AGE.min + no, max: 30 + no }))
const prices = (count: number) => Array.from({ length: count }, (_, no) => ({ min: 1000 + no, max: 5000 + no }))
const SCENES = [
  'BEHAVIOR_INTEREST_SCENE_ALL',
  'BEHAVIOR_INTEREST_SCENE_APP',
  'BEHAVIOR_INTEREST_SCENE_ECOMMERCE',
  'BEHAVIOR_INTEREST_SCENE_INFORMATION',
] as const
const CONVERSIONS = [
  'OPTIMIZATIONGOAL_APP_DOWNLOAD',
  'OPTIMIZATIONGOAL_APP_ACTIVATE',
  'OPTIMIZATIONGOAL_APP_REGISTER',
] as const
const PLACE_ON_MAP = { kind: 'circle', name: '人民广场', long: 121.4753, lat: 31.2287, radius: 500 } as const

/** A picker that holds all it may hold takes no more. */
async function staysFull(page: Page, name: string, more: () => Promise<void>) {
  const chosen = chosenOf(page, `已选${name}`)
  await expect(chosen).toContainText(`已选${name} ${TAGS_MAX}/${TAGS_MAX}`)
  await more()
  await expect(page.getByText(`${name}最多选择${TAGS_MAX}项`)).toBeVisible()
  await expect(chosen).toContainText(`已选${name} ${TAGS_MAX}/${TAGS_MAX}`)
}
const fullTree = (name: string, tree: string, tab: string) => async (page: Page) => {
  await openTab(page, tab)
  await staysFull(page, name, () => freeBox(page, tree).click())
}
const fullWords = (noun: string) => async (page: Page) => {
  await openTab(page, '行为兴趣')
  await staysFull(page, noun, async () => {
    await page.getByLabel(`${noun}的种类`).getByText('关键词', { exact: true }).click()
    await page.getByLabel(`搜索${noun}关键词`).fill('手机')
    await page
      .getByRole('list', { name: `${noun}关键词` })
      .getByRole('checkbox')
      .first()
      .click()
  })
}
/** Rows that have been added as often as they may. */
const noMoreRows = (noun: string) => async (page: Page) => {
  await openTab(page, '人口学属性')
  await expect(page.getByRole('button', { name: new RegExp(`添加${noun}`) })).toBeDisabled()
}
/** Radios: one of them is chosen, and none stands for an empty list. */
const oneOf = (field: Field, tab: string) => async (page: Page) => {
  await openTab(page, tab)
  await expect(radios(page, label(field)).getByRole('radio', { checked: true })).toHaveCount(1)
}
const crowd = (page: Page, noun: string, no: number) =>
  page
    .getByRole('list', { name: `可选的${noun}` })
    .getByRole('checkbox')
    .nth(no)

export const SOCIAL_KEPT: readonly KeptCase<Field, SocialForm>[] = [
  {
    title: 'more than each list holds',
    form: {
      age: ages(AGE.ranges + 1),
      gender: ['MALE', 'FEMALE'],
      residential_community_price: prices(COMMUNITY_PRICE.ranges + 1),
      behavior: 'CUSTOM',
      behavior_scene: [...SCENES],
      behavior_categories: tags(TAGS_MAX + 1),
      interest: 'CUSTOM',
      interest_categories: tags(TAGS_MAX + 1),
      intention: tags(TAGS_MAX + 1),
      custom_audience: ids(TAGS_MAX + 1),
      excluded_custom_audience: ids(TAGS_MAX + 1, 1000),
      excluded_dimension: ['EXCLUDED_DIMENSION_UID', 'EXCLUDED_DIMENSION_APP'],
      conversion_behavior_list: [...CONVERSIONS],
    },
    edge: {
      age: ages(AGE.ranges),
      residential_community_price: prices(COMMUNITY_PRICE.ranges),
      behavior: 'CUSTOM',
      behavior_categories: tags(TAGS_MAX),
      intention: tags(TAGS_MAX),
      custom_audience: ids(TAGS_MAX),
      excluded_dimension: ['EXCLUDED_DIMENSION_UID'],
      conversion_behavior_list: CONVERSIONS.slice(0, CONVERSIONS_MAX),
    },
    says: {
      age: { reason: full('age', AGE.ranges), prevents: noMoreRows('年龄段') },
      gender: { reason: full('gender', 1), prevents: oneOf('gender', '人口学属性') },
      residential_community_price: {
        reason: full('residential_community_price', COMMUNITY_PRICE.ranges),
        prevents: noMoreRows('价格段'),
      },
      behavior_scene: {
        reason: full('behavior_scene', 3),
        // Three scenes, and 全部, which a single one replaces.
        async prevents(page) {
          await openTab(page, '行为兴趣')
          await pick(page, '行为场景', 'App')
          await expect(page.locator('.ant-select-item-option:visible')).toHaveCount(4)
          await expect(page.locator('.ant-select-item-option-selected:visible')).toHaveText(['App'])
          await page.keyboard.press('Escape')
        },
      },
      behavior_categories: {
        reason: full('behavior_categories', TAGS_MAX),
        prevents: fullTree('行为', '行为类目', '行为兴趣'),
      },
      interest_categories: {
        reason: full('interest_categories', TAGS_MAX),
        prevents: { like: 'behavior_categories' },
      },
      intention: { reason: full('intention', TAGS_MAX), prevents: fullTree('意向', '意向', '行为兴趣') },
      custom_audience: {
        reason: full('custom_audience', TAGS_MAX),
        async prevents(page) {
          await openTab(page, '自定义人群')
          await staysFull(page, '定向人群', () => crowd(page, '定向人群', 0).click())
        },
      },
      excluded_custom_audience: {
        reason: full('excluded_custom_audience', TAGS_MAX),
        prevents: { like: 'custom_audience' },
      },
      excluded_dimension: {
        reason: full('excluded_dimension', 1),
        prevents: oneOf('excluded_dimension', '排除已转化'),
      },
      conversion_behavior_list: {
        reason: full('conversion_behavior_list', CONVERSIONS_MAX),
        async prevents(page) {
          await openTab(page, '排除已转化')
          const free = boxes(page, '转化行为的选项').getByRole('checkbox', { checked: false })
          await expect(free.first()).toBeDisabled()
          await expect(free.last()).toBeDisabled()
        },
      },
    },
  },
  {
    title: 'what the controls clear or leave no room for',
    form: {
      geo_location: 'CUSTOM_LOCATIONS',
      custom_locations: [PLACE_ON_MAP],
      location_types: ['TRAVEL_IN'],
      gender: [],
      behavior: 'CUSTOM',
      behavior_keywords: words(TAGS_MAX + 1),
      interest: 'CUSTOM',
      interest_keywords: words(TAGS_MAX + 1),
      custom_audience: ['7'],
      excluded_custom_audience: ['7'],
      excluded_dimension: [],
    },
    edge: {
      geo_location: 'CUSTOM_LOCATIONS',
      custom_locations: [PLACE_ON_MAP],
      behavior: 'CUSTOM',
      behavior_keywords: words(TAGS_MAX),
      custom_audience: ['7'],
      excluded_custom_audience: ['8'],
    },
    says: {
      location_types: {
        reason: outcome('social_location_type_ruled_out', { code: 'TRAVEL_IN' }),
        async prevents(page) {
          await openTab(page, '地理位置')
          await expect(page.getByRole('checkbox', { name: '去过', exact: true })).toBeVisible()
          await expect(page.getByRole('checkbox', { name: '旅行', exact: true })).toHaveCount(0)
        },
      },
      gender: { reason: empty('gender'), prevents: oneOf('gender', '人口学属性') },
      behavior_keywords: { reason: full('behavior_keywords', TAGS_MAX), prevents: fullWords('行为') },
      interest_keywords: { reason: full('interest_keywords', TAGS_MAX), prevents: { like: 'behavior_keywords' } },
      excluded_custom_audience: {
        reason: outcome('targeting_crowd_twice', {}),
        async prevents(page) {
          await openTab(page, '自定义人群')
          await crowd(page, '定向人群', 0).check()
          await expect(crowd(page, '排除人群', 0)).toBeDisabled()
        },
      },
      excluded_dimension: { reason: empty('excluded_dimension'), prevents: oneOf('excluded_dimension', '排除已转化') },
    },
  },
]
