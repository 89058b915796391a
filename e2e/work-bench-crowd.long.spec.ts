import { createHash } from 'node:crypto'
import { createToken } from '#contract/viewer.ts'
import { SOCIAL } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { aCrowd, anAdvertiser, api, selectAdvertiser } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import { dayAhead, editorOf } from './editor-page.ts'
import { openFrame, test } from './host-site.ts'
import { importFile } from './population.ts'
import { ADMIN, expect, type FrameLocator, type Locator, type Page, signIn } from './test.ts'

test.use({ viewport: { width: 1280, height: 860 } })

const PEOPLE = 1_200
let adv_id = 0
let token = ''
let account = ''
test.beforeAll(async ({ admin }) => {
  const advertiser = await anAdvertiser(admin, '计划人群')
  adv_id = advertiser.id
  const md5 = (i: number) =>
    createHash('md5')
      .update(String(13_800_000_000 + i))
      .digest('hex')
  const rows = Array.from({ length: PEOPLE }, (_, i) => `u${i},${md5(i)}`)
  const mapping = { kind: 'users', id: '用户', identifiers: [{ column: '手机', type: 'HASH_MOBILE_PHONE' }], skip: [] }
  await importFile(admin, 'users.csv', ['用户,手机', ...rows].join('\n'), adv_id, mapping)
  await aCrowd(admin, { name: '老客', adv_id, uses: { id: advertiser.everyone, tag_type: 1 } })
  await authorise(admin, { adv_id, platform: SOCIAL, login: '海棠运营', accounts: /海棠腾讯账户4/ })
  const path = `/api/advertiser/list?auth_type=${SOCIAL}&adv_id=${adv_id}`
  const { data } = await api<{ data: { name: string }[] }>(admin, 'get', path)
  account = data[0]?.name ?? ''
  ;({ token } = await api<{ token: string }>(admin, 'post', createToken.path, { name: '工作台' }))
})

type Shown = Page | FrameLocator

/** A plan on the account, in the workbench. */
async function addPlan(shown: Shown, activity: string) {
  await shown.getByLabel('活动名称').fill(activity)
  await shown.getByRole('button', { name: '添加计划' }).first().click()
  await shown.getByText('腾讯广告', { exact: true }).click()
  await expect(shown.getByRole('button', { name: '新建组合定向包' }).first()).toBeDisabled()
  await shown.getByRole('combobox', { name: '投放账户' }).click()
  await shown.locator('.ant-select-item-option', { hasText: account }).first().click()
}

const drawerOf = (shown: Shown) => shown.getByRole('dialog', { name: '新建组合定向包' })

/** Fills in the editor, saves, and pushes what was saved. */
async function make(shown: Shown, name: string, onSaved = async (_: Locator): Promise<void> => {}) {
  const drawer = drawerOf(shown)
  await drawer.getByRole('treeitem', { level: 2 }).filter({ hasText: '全部用户' }).click()
  await drawer.getByLabel('名称', { exact: true }).fill(name)
  await drawer.getByLabel('失效时间').fill(dayAhead(30))
  await drawer.getByLabel('失效时间').press('Enter')
  await drawer.getByRole('button', { name: '保存', exact: true }).click()
  const push = shown.getByRole('dialog', { name: `推送「${name}」到「${account}」` })
  await onSaved(push)
  await push.getByLabel('标识类型').fill('手机号-MD5')
  await shown.locator('.ant-select-item-option').filter({ hasText: '手机号-MD5' }).click()
  // The open list covers the next field.
  await push.getByText(`推送「${name}」`).click()
  await expect(push.getByLabel('平台', { exact: true })).toBeHidden()
  await expect(push.getByLabel('投放账户', { exact: true })).toBeHidden()
  const check = push.getByRole('region', { name: '推送前检查' }).getByRole('row').filter({ hasText: '手机号-MD5' })
  await expect(check).toContainText('1,200')
  return push
}

/** The first answers about the saved crowd say that it is being computed. */
async function computesSlowly(page: Page) {
  let answers = 0
  await page.route(/\/api\/people\/\d+$/, async (route) => {
    const answer = await route.fetch()
    const { data, ...envelope } = await answer.json()
    answers += 1
    if (answers > 2) return route.fulfill({ response: answer })
    return route.fulfill({ json: { ...envelope, data: { ...data, status: 'computing', progress: 0.4 } } })
  })
}

const chosen = (shown: Shown, name: string) => shown.locator('.ant-select-selection-item', { hasText: name })

test('a rule crowd is made in the workbench, pushed to the plan’s account, and then chosen', async ({ page }) => {
  test.slow()
  await signIn(page, ADMIN)
  await selectAdvertiser(page, adv_id)
  await page.goto('/campaign-manage/work-bench')
  await addPlan(page, '人群活动')
  await page.screenshot({ path: 'test-results/work-bench-crowds-1280.png', fullPage: true })
  await expectAccessible(page)
  await page.getByRole('button', { name: '新建组合定向包' }).first().click()
  const drawer = drawerOf(page)

  // The workbench's entry: history crowds, and the clear button.
  await drawer.getByRole('tab', { name: '历史人群' }).click()
  const { drag, rule } = editorOf(page)
  await drag(drawer.getByRole('treeitem').filter({ hasText: '老客' }), rule(1), '设为历史人群')
  await expect(drawer.getByRole('group', { name: /^标签 老客，/ })).toBeVisible()
  await page.screenshot({ path: 'test-results/work-bench-new-crowd-1280.png' })
  await expectAccessible(page)
  await drawer.getByRole('button', { name: '清空' }).click()
  await expect(drawer.getByRole('group', { name: /^标签 老客，/ })).toHaveCount(0)

  // Closing asks, and what is in the workbench stays.
  await drawer.getByLabel('名称', { exact: true }).fill('要丢弃的')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: '有未保存的修改，确定离开吗？' })
  await question.getByRole('button', { name: '继续编辑' }).click()
  await expect(drawer.getByLabel('名称', { exact: true })).toHaveValue('要丢弃的')
  await drawer.getByRole('button', { name: /取\s?消/ }).click()
  await question.getByRole('button', { name: '放弃修改' }).click()
  await expect(drawer).toBeHidden()
  await expect(page.getByLabel('活动名称')).toHaveValue('人群活动')

  await page.getByRole('button', { name: '新建组合定向包' }).first().click()
  await expect(drawer.getByLabel('名称', { exact: true })).toHaveValue('')
  await drawer.getByRole('tab', { name: '属性标签' }).click()
  await computesSlowly(page)
  const push = await make(page, '新客人群', async (dialog) => {
    await expect(dialog.getByText('人群已保存，正在计算人数')).toBeVisible()
    await page.screenshot({ path: 'test-results/work-bench-counting-1280.png' })
    await expectAccessible(page)
  })
  await page.screenshot({ path: 'test-results/work-bench-push-1280.png' })
  await expectAccessible(page)
  await push.getByRole('button', { name: '推送', exact: true }).click()
  await expect(page.getByText('已提交推送')).toBeVisible()
  await expect(push).toBeHidden()
  await expect(chosen(page, '新客人群')).toBeVisible()
  await expect(page.getByRole('button', { name: '新建组合定向包' }).first()).toBeFocused()

  await page.getByRole('button', { name: '存为草稿' }).click()
  await expect(page).toHaveURL(/campaign_id=\d+/)
  await expect(chosen(page, '新客人群')).toBeVisible()
})

test('the same in a frame of another site', async ({ page, host }) => {
  test.slow()
  const { frame } = await openFrame(page, host, token, { adv_id, ...{ campaign_id: 0 } })
  await addPlan(frame, '框内人群活动')
  await frame.getByRole('button', { name: '新建组合定向包' }).last().click()
  const push = await make(frame, '排除的人')
  // What a crowd holds out is not set from a frame.
  await expect(push.getByRole('button', { name: '设置对照组' })).toHaveCount(0)
  await push.getByRole('button', { name: '推送', exact: true }).click()
  await expect(frame.getByText('已提交推送')).toBeVisible()
  await expect(frame.getByText('任务')).toHaveCount(0)
  await expect(chosen(frame, '排除的人')).toBeVisible()
  await expect(frame.getByRole('link')).toHaveCount(0)
  await frame.getByRole('button', { name: '存为草稿' }).click()
  await expect(frame.getByText('活动已保存')).toBeVisible()
})
