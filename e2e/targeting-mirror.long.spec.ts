import { VIDEO } from '../server/testing/platforms.ts'
import { onVideoPages } from '../server/testing/video-packages.ts'
import { expectAccessible } from './axe.ts'
import { anAdvertiser, api, selectAdvertiser } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import { openAndLeave as openPackage } from './package-list.ts'
import { sandboxOf } from './sandbox.ts'
import { test as base, expect, type Page, SERVER_FIXTURE, withServer } from './test.ts'

/** A server and sandbox of its own: its packages there affect no other journey. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  server: [async ({}, use) => withServer({}, use), SERVER_FIXTURE],
})

const CALLS = '/api/v1/gdtcrowd/custom/targetings'
const WOMEN = { landing_type: 'EXTERNAL', gender: ['GENDER_FEMALE'] }
/** The most packages that the platform keeps of an account. */
const QUOTA = 200

let adv_id = 0
let account = { id: 0, name: '', external_id: '' }
let sandbox: Awaited<ReturnType<typeof sandboxOf>>
let there: Awaited<ReturnType<typeof onVideoPages>>
test.beforeAll(async ({ admin }) => {
  adv_id = (await anAdvertiser(admin, '同步品牌')).id
  await authorise(admin, { adv_id, platform: VIDEO, accounts: /./ })
  const path = `/api/advertiser/list?auth_type=${VIDEO}&adv_id=${adv_id}`
  const { data } = await api<{ data: (typeof account)[] }>(admin, 'get', path)
  account = data[0] ?? account
  sandbox = await sandboxOf(admin)
  await sandbox.control('switches', { video_advertiser_qps: 0, video_application_qps: 0 })
  there = await onVideoPages(sandbox, account.external_id)
})

const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) })
const openMenu = (page: Page, name: string) => page.getByRole('button', { name: `「${name}」的更多操作` }).click()
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })
const mirrorOf = async (page: Page, id: number) =>
  (await api<{ mirror: string }>(page, 'get', `${CALLS}/get?id=${id}`)).mirror
const ends = (page: Page, id: number, state: string) =>
  expect.poll(() => mirrorOf(page, id), { timeout: 30_000 }).toBe(state)
const add = (page: Page, targeting_name: string) =>
  api<{ id: number }>(page, 'post', `${CALLS}/add`, {
    ...{ targeting_name, dir_id: 1, advertiser_id: account.id, targeting: WOMEN },
  })

/** A package that the platform has too, with its number there. */
async function aCopiedPackage(page: Page, name: string) {
  const { id } = await add(page, name)
  await ends(page, id, 'synced')
  const copy = (await there.list()).find((one) => one.name === name)
  return { id, copy: copy?.audience_package_id ?? '' }
}

const openAndLeave = (page: Page, id: number) => openPackage(page, `/cowd-manage/assets/crowd/${VIDEO}/${id}`)

test('a package changed on the platform is noticed on opening it, and either side can be kept', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  const { id, copy } = await aCopiedPackage(page, '女性')
  await there.update(copy, { gender: 'GENDER_MALE', name: '男性' })
  await openAndLeave(page, id)
  await expect(rowOf(page, '女性')).toContainText('平台上已修改')
  await expect(rowOf(page, '女性')).toContainText('正常')
  await rowOf(page, '女性').getByText('平台上已修改').hover()
  await expect(page.getByRole('tooltip').filter({ hasText: '采用平台或覆盖平台' })).toBeVisible()
  await openMenu(page, '女性')
  await expect(item(page, '覆盖平台')).toBeVisible()
  await expect(item(page, '重新同步')).toHaveCount(0)
  await expectAccessible(page)
  await item(page, '采用平台').click()
  const adopting = page.getByRole('dialog', { name: '采用平台上的「女性」？' })
  await expect(adopting.getByRole('row', { name: '名称' })).toContainText('女性（仅此一侧）男性（仅此一侧）不同')
  await expect(adopting.getByRole('row', { name: '性别' })).toContainText('女（仅此一侧）男（仅此一侧）不同')
  await expectAccessible(page)
  await adopting.getByRole('button', { name: '取消' }).click()
  await page.goto(`/cowd-manage/assets/crowd/${VIDEO}/${id}`)
  await expect(page.getByText('平台上的副本已被修改。在这里保存的内容暂不发送到平台')).toBeVisible()
  await page.goto('/cowd-manage/cowd-assets/3?dir_id=0')
  await openMenu(page, '女性')
  await item(page, '采用平台').click()
  await adopting.getByRole('button', { name: '采用平台' }).click()
  await expect(page.getByText('修改成功')).toBeVisible()
  await expect(rowOf(page, '男性')).toBeVisible()
  await expect(rowOf(page, '男性')).not.toContainText('平台上已修改')
  await page.getByRole('button', { name: '男性', exact: true }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('region', { name: '定向内容' })).toContainText('男')
  await expect(drawer.getByRole('table', { name: '修改记录' }).getByRole('row').nth(1)).toContainText('采用平台')
  await page.keyboard.press('Escape')

  await there.update(copy, { gender: 'GENDER_FEMALE' })
  await openAndLeave(page, id)
  await expect(rowOf(page, '男性')).toContainText('平台上已修改')
  await openMenu(page, '男性')
  await item(page, '覆盖平台').click()
  const question = page.getByRole('dialog', { name: '用这里的「男性」覆盖平台？' })
  await expect(question).toContainText('平台上的修改会丢失')
  await expect(question.getByRole('row', { name: '性别' })).toContainText('不同')
  await question.getByRole('button', { name: '覆盖平台' }).click()
  await expect(page.getByText('已提交同步')).toBeVisible()
  await ends(page, id, 'synced')
  expect(await there.list()).toMatchObject([{ name: '男性', gender: 'GENDER_MALE' }])
  await expect(rowOf(page, '男性')).toContainText('正常')
  await expect(rowOf(page, '男性')).not.toContainText('平台上已修改')
})

test('a package deleted on the platform is noticed, sent again or deleted; a refused one is sent again', async ({
  page,
}) => {
  await selectAdvertiser(page, adv_id)
  const { id, copy } = await aCopiedPackage(page, '被删的包')
  await there.remove(copy)
  await openAndLeave(page, id)
  const row = rowOf(page, '被删的包')
  await expect(row).toContainText('平台上已删除')
  await page.goto(`/cowd-manage/assets/crowd/${VIDEO}/${id}`)
  await expect(page.getByText('平台上的副本已被删除。在这里保存的内容暂不发送到平台')).toBeVisible()
  await page.goto('/cowd-manage/cowd-assets/3?dir_id=0')
  await row.getByText('同步失败').hover()
  await expect(page.getByRole('tooltip').filter({ hasText: '可以重新同步，或在这里删除' })).toBeVisible()
  await openMenu(page, '被删的包')
  await expect(item(page, '采用平台')).toHaveCount(0)
  await item(page, '重新同步').click()
  await expect(page.getByText('已提交同步')).toBeVisible()
  await ends(page, id, 'synced')
  const again = (await there.list()).find(({ name }) => name === '被删的包')
  expect(again?.audience_package_id).not.toBe(copy)
  await expect(row).toContainText('正常')

  await there.remove(again?.audience_package_id ?? '')
  await openAndLeave(page, id)
  await expect(row).toContainText('平台上已删除')
  await openMenu(page, '被删的包')
  await item(page, '删除').click()
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
  await expect(page.getByText('删除成功')).toBeVisible()
  await expect(row).toHaveCount(0)

  const refusal = { platform: 'video', path: '2/audience_package/create', kind: 'busy', code: 40000 }
  await sandbox.control('faults', refusal)
  const refused = await add(page, '被拒的包')
  await ends(page, refused.id, 'failed')
  await page.reload()
  await expect(rowOf(page, '被拒的包')).toContainText('同步失败')
  await openMenu(page, '被拒的包')
  await item(page, '重新同步').click()
  await ends(page, refused.id, 'synced')
  await expect(rowOf(page, '被拒的包')).toContainText('正常')
})

test('a change on an account without authorisation says what it waits for, and goes on after it', async ({
  page,
  admin,
}) => {
  await selectAdvertiser(page, adv_id)
  const name = '等待授权的包'
  const { id } = await aCopiedPackage(page, name)
  await api(admin, 'post', `/api/oauth/revoke/${account.id}`)
  await api(admin, 'post', `${CALLS}/update`, { id, targeting: { ...WOMEN, age: ['AGE_BETWEEN_18_23'] } })
  await ends(page, id, 'paused')
  await page.goto(`/cowd-manage/cowd-assets/3?dir_id=0&name=${encodeURIComponent(name)}`)
  await rowOf(page, name).getByText('等待授权', { exact: true }).hover()
  await expect(page.getByRole('tooltip')).toContainText('重新授权后自动继续同步')
  await authorise(admin, { adv_id, platform: VIDEO, accounts: /./ })
  await ends(page, id, 'synced')
})

test('packages made there are only shown and copied, a plan there keeps a package from deletion, and a full quota is told', async ({
  page,
}) => {
  await selectAdvertiser(page, adv_id)
  const { id, copy } = await aCopiedPackage(page, '投放中的包')
  await there.create('平台的', { gender: 'GENDER_MALE' })
  await sandbox.control('projects', { account_id: account.external_id, name: '双十一', package_id: copy })
  // The plan is known once the platform has been read.
  await page.goto(`/cowd-manage/assets/crowd/${VIDEO}/${id}`)
  await expect(page.getByText('正在被计划使用：双十一')).toBeVisible()
  await page.getByRole('button', { name: '取消' }).click()
  const foreign = rowOf(page, '平台的')
  await expect(foreign).toContainText('来自平台')
  await expect(foreign.getByRole('button', { name: '编辑', exact: true })).toBeDisabled()
  await expect(foreign.getByRole('button', { name: '复制', exact: true })).toBeEnabled()
  await openMenu(page, '平台的')
  for (const name of ['重命名', '移动到', '删除']) {
    // The reason stands below the name.
    await expect(page.getByRole('menuitem', { name: new RegExp(`^${name}`) })).toHaveAttribute('aria-disabled', 'true')
  }
  await item(page, '查看').click()
  await expect(page.getByRole('heading', { level: 1, name: /^查看/ })).toBeVisible()
  // The address of its editor shows the same.
  await page.goto(new URL(page.url()).pathname)
  await expect(page.getByText('定向包 平台的 来自平台，只能查看和复制')).toBeVisible()
  await expect(page.getByLabel('名称')).toBeDisabled()
  await page.getByRole('button', { name: '返回' }).click()

  await expect(rowOf(page, '投放中的包')).toContainText('使用中')
  await openMenu(page, '投放中的包')
  await item(page, '删除').click()
  await expect(
    page.getByText('定向包 投放中的包 正在被计划使用中，请先解绑或关闭计划：双十一', { exact: true }),
  ).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const startNew = async (name: string) => {
    await page.getByRole('button', { name: '新建巨量引擎定向包' }).first().click()
    await dialog.getByLabel('定向包名称').fill(name)
    await dialog.getByRole('radio', { name: '落地页' }).check()
    await dialog.getByRole('combobox', { name: '平台账户' }).click()
    await page.locator('.ant-select-item-option:visible').filter({ hasText: account.name }).click()
    await dialog.getByRole('checkbox', { name: '长期有效' }).check()
    await dialog.getByRole('button', { name: '去设置' }).click()
  }
  const dialog = page.getByRole('dialog')
  await startNew('放不下的包')
  await expect(page.getByRole('heading', { level: 1, name: '新建巨量引擎定向包' })).toBeVisible()
  // The last places are taken while its editor is open.
  const taken = (await there.list()).length
  await Promise.all(Array.from({ length: QUOTA - taken }, (_, no) => there.create(`占位${no}`)))
  // A reading serves again for some seconds.
  await expect(async () => {
    await api(page, 'post', `${CALLS}/refresh`, { advertiser_id: account.id })
    const { used } = await api<{ used: number }>(page, 'get', `${CALLS}/quota?advertiser_id=${account.id}`)
    expect(used).toBeGreaterThanOrEqual(QUOTA)
  }).toPass({ timeout: 30_000 })
  await page.getByRole('button', { name: '确定' }).click()
  const full = `${account.name}的巨量人群资产配额已达上限，请删除部分定向包，释放配额，以免影响广告投放。`
  await expect(page.locator('.ant-message-notice').getByText(full)).toBeVisible()
  await expect(page).toHaveURL(/assets\/crowd\/2\/0/)

  await page.goto('/cowd-manage/cowd-assets/3?dir_id=0')
  await expect(page.getByRole('alert').filter({ hasText: full })).toBeVisible()
  await expectAccessible(page)
  await startNew('还是放不下')
  await expect(dialog.getByText(full)).toBeVisible()
  await expect(page).toHaveURL(/new=1/)
})
