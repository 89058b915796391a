import { outcome, sentenceOf } from '#contract/outcome.ts'
import type { PlatformCode } from '#contract/platform.ts'
import { PLACES_MAX, TAGS_MAX, TARGETING_BYTES_MAX } from '#contract/targeting/common.ts'
import {
  FIELDS as FIVE_TAB_FIELDS,
  TABS as FIVE_TABS,
  type Field as FiveTabField,
} from '#contract/targeting/five-tab/fields.ts'
import { OUTSIDE_CHINA } from '#contract/targeting/place.ts'
import {
  FIELDS as SOCIAL_FIELDS,
  TABS as SOCIAL_TABS,
  type Field as SocialField,
} from '#contract/targeting/social/fields.ts'
import { COMMERCE, SOCIAL, VIDEO } from '../server/testing/platforms.ts'
import { placesFull } from '../web/domain/targeting/map/places.ts'
import { anAdvertiser, api, selectAdvertiser } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import { BASE_CLICKS, BASE_KEPT, DIALOG_MESSAGES } from './editor-messages/base.ts'
import type { ClickCase, KeptCase } from './editor-messages/cases.ts'
import { COMMERCE_CLICKS, COMMERCE_KEPT, VIDEO_CLICKS, VIDEO_KEPT } from './editor-messages/five-tab.ts'
import { openTab, save } from './editor-messages/hands.ts'
import { SOCIAL_CLICKS, SOCIAL_CROWDS, SOCIAL_KEPT, SOCIAL_NO_CROWDS } from './editor-messages/social.ts'
import { makeSocialCrowds } from './platform-crowds.ts'
import { sandboxOf } from './sandbox.ts'
import { test as base, expect, type Page, SERVER_FIXTURE, withServer } from './test.ts'

/** A server and sandbox of its own: its authorisations affect no other journey. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  server: [async ({}, use) => withServer({}, use), SERVER_FIXTURE],
})
test.setTimeout(480_000)

const CALLS = '/api/v1/gdtcrowd/custom/targetings'
const FOREVER = 253_370_707_199
const tooLarge = sentenceOf(outcome('targeting_too_large', { kb: TARGETING_BYTES_MAX / 1024 }))

interface Account {
  id: number
  external_id: string
}
let adv_id = 0
const accounts = new Map<PlatformCode, Account[]>()
test.beforeAll(async ({ admin }) => {
  adv_id = (await anAdvertiser(admin, '提示品牌')).id
  // This platform's page takes one account at a time.
  await authorise(admin, { adv_id, platform: SOCIAL, accounts: /腾讯账户1/ })
  for (const platform of [SOCIAL, VIDEO, COMMERCE]) {
    await authorise(admin, { adv_id, platform, accounts: platform === SOCIAL ? /腾讯账户2/ : /./ })
    const path = `/api/advertiser/list?auth_type=${platform}&adv_id=${adv_id}`
    accounts.set(platform, (await api<{ data: Account[] }>(admin, 'get', path)).data)
  }
})
const account = (platform: PlatformCode, no = 0): Account => {
  const found = accounts.get(platform)?.[no]
  if (!found) throw new Error('no such account')
  return found
}

/** Where an editor and its fields are found, and what it says on opening a tab with a fault. */
interface Editor<F> {
  platform: PlatformCode
  path: (id: number) => string
  tabs: Readonly<Record<string, string>>
  tabOf: (field: F) => string
  toast: (tab: string) => string
}
const fiveTabs = (platform: PlatformCode): Editor<FiveTabField> => ({
  platform,
  path: (id) => `/cowd-manage/assets/crowd/${platform}/${id}`,
  tabs: FIVE_TABS,
  tabOf: (field) => FIVE_TAB_FIELDS[field].tab,
  toast: (tab) => sentenceOf(outcome('targeting_tab_check', { tab: tab as keyof typeof FIVE_TABS })),
})
const VIDEO_EDITOR = fiveTabs(VIDEO)
const COMMERCE_EDITOR = fiveTabs(COMMERCE)
const SOCIAL_EDITOR: Editor<SocialField> = {
  platform: SOCIAL,
  path: (id) => `/cowd-manage/cowd-assets/gdt-cowd/edit/${id}`,
  tabs: SOCIAL_TABS,
  tabOf: (field) => SOCIAL_FIELDS[field].tab,
  toast: (tab) => sentenceOf(outcome('social_tab_incomplete', { tab: tab as keyof typeof SOCIAL_TABS })),
}
type At = Pick<Editor<unknown>, 'platform' | 'path'>

let made = 0
/** A package without any restriction, open in its editor. */
async function openPackage(page: Page, editor: At, no = 0) {
  const types: Partial<Record<PlatformCode, string>> = { [VIDEO]: 'APP_ANDROID', [COMMERCE]: 'LIVE' }
  const landing_type = types[editor.platform]
  const name = `提示${++made}`
  const { id } = await api<{ id: number }>(page, 'post', `${CALLS}/add`, {
    ...{ targeting_name: name, dir_id: 1, advertiser_id: account(editor.platform, no).id },
    targeting: landing_type ? { landing_type } : {},
  })
  await page.goto(editor.path(id))
  await expect(page.getByRole('heading', { level: 1 })).toContainText('编辑')
  return { id, name }
}

/** Shows unsaved work of an earlier visit. */
async function showKept(page: Page, { platform }: At, opened: { id: number; name: string }, draft: object) {
  const kept = {
    at: `${platform} ${opened.id} edit `,
    ver: 1,
    draft: { targeting_name: opened.name, dir_id: 1, invalid_time: FOREVER, form: {}, ...draft },
  }
  await page.evaluate((text) => window.sessionStorage.setItem('targetingWork', text), JSON.stringify(kept))
  await page.reload()
  await expect(page.getByText('已恢复上次未保存的修改')).toBeVisible()
}

const fault = (page: Page, field: string) => page.locator(`#targeting-${field} .ant-form-item-explain`)
const isOpen = (page: Page, name: string) => expect(page.getByRole('tab', { name, selected: true })).toBeVisible()
/** The popup. One that comes while an earlier one goes is lost with it, so it is looked for on a page without any. */
const popup = (page: Page, text: string) =>
  expect(page.locator('.ant-message-notice').getByText(text, { exact: true })).toBeVisible()

/** Leads to each message by clicks, saves from another tab, and sees the field's tab open with the message in it. */
async function seeByClicks<F extends string>(page: Page, editor: Editor<F>, cases: readonly ClickCase<F>[]) {
  const announced = new Set<string>()
  for (const { title, field, reason, act, undo } of cases) {
    await test.step(title, async () => {
      const tab = editor.tabOf(field)
      const name = editor.tabs[tab] ?? ''
      const elsewhere = Object.values(editor.tabs).find((one) => one !== name) ?? ''
      const isFirst = !announced.has(tab)
      announced.add(tab)
      if (isFirst) await page.reload()
      await openTab(page, name)
      await act(page)
      await openTab(page, elsewhere)
      await save(page)
      if (isFirst) await popup(page, editor.toast(tab))
      await isOpen(page, name)
      await expect(page.locator(`#targeting-${field}`)).toBeInViewport()
      // The first field of the tab with a message has the focus; it may be another one.
      await expect(page.locator('.ant-form-item-has-error :focus')).toHaveCount(1)
      await expect(fault(page, field)).toHaveText(sentenceOf(reason))
      await undo(page)
      await expect(fault(page, field)).toHaveCount(0)
    })
  }
}

/** Sees the messages of forms that the controls never make, and that the controls go no further. */
async function seeKept<F extends string, Form>(
  page: Page,
  editor: Editor<F>,
  cases: readonly KeptCase<F, Form>[],
  opened: { id: number; name: string },
) {
  for (const { title, form, edge, says } of cases) {
    const fields = Object.entries(says) as [F, NonNullable<(typeof says)[F]>][]
    await test.step(title, async () => {
      await showKept(page, editor, opened, { form })
      await save(page)
      const first = Object.keys(editor.tabs).find((tab) => fields.some(([field]) => editor.tabOf(field) === tab)) ?? ''
      await popup(page, editor.toast(first))
      await isOpen(page, editor.tabs[first] ?? '')
      for (const [field, { reason }] of fields) {
        await openTab(page, editor.tabs[editor.tabOf(field)] ?? '')
        await expect(fault(page, field)).toHaveText(sentenceOf(reason))
      }
    })
    await test.step(`${title}: the controls`, async () => {
      await showKept(page, editor, opened, { form: edge })
      for (const [field, { prevents }] of fields) {
        if (typeof prevents === 'function') await test.step(field, () => prevents(page))
        else expect(typeof says[prevents.like]?.prevents).toBe('function')
      }
    })
  }
}

test('every message of the social editor is seen', async ({ page, admin }) => {
  await selectAdvertiser(page, adv_id)
  await makeSocialCrowds(await sandboxOf(admin), account(SOCIAL, 1).external_id, ['老客', '新客', '会员'])

  await openPackage(page, SOCIAL_EDITOR)
  await seeByClicks(page, SOCIAL_EDITOR, [...SOCIAL_CLICKS, ...SOCIAL_NO_CROWDS])
  const opened = await openPackage(page, SOCIAL_EDITOR, 1)
  await seeByClicks(page, SOCIAL_EDITOR, SOCIAL_CROWDS)
  await seeKept(page, SOCIAL_EDITOR, SOCIAL_KEPT, opened)
})

test('every message of the editor of five tabs is seen', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  const opened = await openPackage(page, VIDEO_EDITOR)
  await seeByClicks(page, VIDEO_EDITOR, VIDEO_CLICKS)
  await seeKept(page, VIDEO_EDITOR, VIDEO_KEPT, opened)

  const live = await openPackage(page, COMMERCE_EDITOR)
  await seeByClicks(page, COMMERCE_EDITOR, COMMERCE_CLICKS)
  await seeKept(page, COMMERCE_EDITOR, COMMERCE_KEPT, live)

  await page.getByRole('region', { name: '预估覆盖' }).getByRole('button', { name: '去设置' }).click()
  const goals = page.getByRole('dialog', { name: '直播的预估目标' })
  await goals.getByLabel('抖音号 ID').fill('第一直播间')
  await goals.getByRole('button', { name: '确定' }).click()
  await expect(goals.getByText('请选择转化目标').last()).toBeVisible()
  await expect(goals.getByText('请输入数字编号')).toBeVisible()
})

test('every message above the tabs, of places and of the dialog is seen', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  const other = await openPackage(page, VIDEO_EDITOR)
  const opened = await openPackage(page, VIDEO_EDITOR)
  const info = page.getByRole('region', { name: '基本信息' })
  for (const { title, reason, act, undo } of BASE_CLICKS) {
    await test.step(title, async () => {
      await page.reload()
      await act(page)
      await save(page)
      await popup(page, sentenceOf(reason))
      await expect(info.locator('.ant-form-item-explain')).toHaveText(sentenceOf(reason))
      await undo(page, opened.name)
      await expect(info.locator('.ant-form-item-explain')).toHaveCount(0)
    })
  }
  await page.getByLabel('名称', { exact: true }).fill(other.name)
  await save(page)
  await expect(info.locator('.ant-form-item-explain')).toHaveText('同级目录下不允许重名')

  for (const { title, draft, reason } of BASE_KEPT) {
    await test.step(title, async () => {
      const form = { landing_type: 'APP_ANDROID' }
      await showKept(page, VIDEO_EDITOR, opened, { form, ...draft })
      await save(page)
      await popup(page, sentenceOf(reason))
    })
  }
  await page.getByRole('button', { name: '放弃修改' }).click()
  const question = page.getByRole('dialog', { name: '放弃恢复的修改？' })
  await question.getByRole('button', { name: '继续编辑' }).click()
  await expect(page.getByText('已恢复上次未保存的修改')).toBeVisible()
  await page.getByRole('button', { name: '放弃修改' }).click()
  await question.getByRole('button', { name: '放弃修改' }).click()
  for (const { prevents } of BASE_KEPT) await prevents(page)

  const type = { landing_type: 'APP_ANDROID' }
  const places = Array.from({ length: PLACES_MAX }, (_, no) => ({
    ...{ kind: 'circle', name: `店${no}`, radius: 3000 },
    ...{ long: Number((121 + no / 5000).toFixed(6)), lat: 31.2 },
  }))
  const onMap = { ...type, district: ['BUSINESS_DISTRICT'], custom_locations: places }
  await showKept(page, VIDEO_EDITOR, opened, { form: onMap })
  // Labels and roles take seconds to search on a page of a thousand places.
  const entry = page.locator('section[aria-label="用坐标添加地点"]')
  const enter = async (text: string) => {
    await entry.locator('[aria-label="经度,纬度"]').fill(text)
    await entry.locator('[aria-label="经度,纬度"]').press('Enter')
  }
  for (const [typed, refusal] of [
    ['上海', '请输入经度和纬度'],
    ['121.4737,31.2304', placesFull],
  ] as const) {
    await enter(typed)
    await expect(entry.locator('[role=alert]')).toContainText(refusal)
  }
  await page.locator('section[aria-label="已选地点"] .ant-btn-link').first().click()
  await enter('139.6917,35.6895')
  await expect(entry.locator('[role=alert]')).toContainText(OUTSIDE_CHINA)

  const tags = Array.from({ length: TAGS_MAX }, (_, no) => ({ id: String(no + 1), type: 1, name: '类'.repeat(200) }))
  const wordy = { ...type, smart_interest_action: 'CUSTOM', action_tags: tags, interest_tags: tags }
  await showKept(page, VIDEO_EDITOR, opened, { form: wordy })
  await save(page)
  await popup(page, tooLarge)

  await page.goto('/cowd-manage/cowd-assets/4?dir_id=0&new=1')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '去设置' }).click()
  for (const { reason } of DIALOG_MESSAGES) {
    await expect(dialog.locator('.ant-form-item-explain').getByText(sentenceOf(reason))).toBeVisible()
  }
  await expect(dialog.locator('.ant-form-item-explain')).toHaveCount(DIALOG_MESSAGES.length)
})
