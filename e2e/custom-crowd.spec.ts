import { readFileSync } from 'node:fs'
import type { AudienceCode } from '#contract/platform.ts'
import { SOCIAL, VIDEO } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { aCrowd, anAdvertiser, api, selectAdvertiser } from './crowds.ts'
import {
  aCustomCrowd,
  authorise,
  checked,
  childRowOf,
  chooseSeveral,
  crowdRowOf,
  md5s,
  uploadFile,
} from './custom-crowds.ts'
import { editorOf } from './editor-page.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'

// Checks of files and the platforms' processing of pushes take time.

const LIST = '/cowd-manage/custom-crowd'
const FOLDERS = '/api/v1/gdtcrowd/crowd_dir/custom'
const named = (name: string) => `${name}${SUFFIX}`

let adv_id = 0
/** The platform accounts' names as the list shows them. */
let accounts: { social: string; video: string }
test.beforeAll(async ({ admin }) => {
  ;({ id: adv_id } = await anAdvertiser(admin, named(`上传人群旅程${test.info().workerIndex}`)))
  await authorise(admin, { adv_id, platform: SOCIAL, login: '海棠运营', accounts: /海棠腾讯账户3/ })
  await authorise(admin, { adv_id, platform: VIDEO, accounts: /巨量账户3/ })
  const nameOf = async (platform: AudienceCode) => {
    const path = `/api/advertiser/list?auth_type=${platform}&adv_id=${adv_id}`
    const { data } = await api<{ data: { name: string }[] }>(admin, 'get', path)
    return data[0]?.name ?? ''
  }
  accounts = { social: await nameOf(1), video: await nameOf(2) }
})

const aFolder = (page: Page, name: string, parent_id: number | null = null) =>
  api<{ id: number }>(page, 'post', FOLDERS, { name: named(name), parent_id })
const open = async (page: Page, dir_id?: number) => {
  await selectAdvertiser(page, adv_id)
  await page.goto(dir_id === undefined ? LIST : `${LIST}?dir_id=${dir_id}`)
}
const unfold = (page: Page, crowd: string) =>
  crowdRowOf(page, crowd).getByRole('button', { name: '展开各平台账户' }).click()
const more = async (page: Page, of: string, item: string) => {
  await page.getByRole('button', { name: `「${of}」的更多操作` }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('the report adds up, and the malformed lines are downloaded with their numbers and reasons', async ({ page }) => {
  const folder = await aFolder(page, '报告')
  const name = named('有坏行的人群')
  const good = md5s(500)
  await aCustomCrowd(page, {
    name,
    adv_id,
    dir_id: folder.id,
    files: {
      '一.txt': [...good, '不是MD5', ...good.slice(0, 20), ''].join('\n'),
      '二.csv': good.slice(0, 30).join('\r\n'),
    },
  })
  await open(page, folder.id)
  await expect(crowdRowOf(page, name)).toContainText('可用')
  await expect(crowdRowOf(page, name)).toContainText('500')
  await crowdRowOf(page, name).getByRole('button', { name, exact: true }).click()
  const drawer = page.getByRole('dialog')
  const funnel = drawer.getByRole('region', { name: '漏斗' })
  const step = (label: string) => funnel.getByRole('row').filter({ has: page.getByRole('rowheader', { name: label }) })
  await expect(step('行数')).toContainText('551')
  await expect(step('有效')).toContainText('500')
  await expect(step('有效')).toContainText('无效行 −1')
  await expect(step('有效')).toContainText('同次上传中重复 −50')
  await expect(step('去重')).toContainText('500')
  await expect(step('去重')).toContainText('截至')
  await expect(step('已发送')).toContainText('还没有推送到平台账户')
  await expectAccessible(page)

  const files = drawer.getByRole('region', { name: '文件' })
  const file = (text: string) => files.getByRole('row').filter({ hasText: text })
  await expect(file('一.txt')).toContainText('1 应为 32 位十六进制字符')
  await expect(file('二.csv').getByRole('button', { name: '下载无效行' })).toBeDisabled()
  await files.getByLabel('文件名').fill('一.')
  await expect(file('二.csv')).toHaveCount(0)
  for (const where of [file('一.txt').getByRole('link', { name: '下载无效行' }), step('有效').getByRole('link')]) {
    const [download] = await Promise.all([page.waitForEvent('download'), where.click()])
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n')
    expect(lines[0]).toContain('行号')
    expect(lines.slice(1)).toEqual([expect.stringMatching(/^501,应为 32 位十六进制字符,不是MD5/)])
  }

  // The address holds what is open: a reload shows the same.
  await page.reload()
  await expect(step('行数')).toContainText('551')
  await drawer.getByRole('tab', { name: '更新记录' }).click()
  await expect(drawer.getByRole('row').filter({ hasText: '新建' })).toContainText('一.txt')
  await page.reload()
  await expect(drawer.getByRole('tab', { name: '更新记录' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
})

test('a crowd is pushed to both platforms and its audiences are followed there', async ({ page }) => {
  const folder = await aFolder(page, '推送')
  const name = named('推送的人群')
  await aCustomCrowd(page, { name, adv_id, dir_id: folder.id, files: { 'a.txt': md5s(1200, 50_000).join('\n') } })
  const phones = named('只能推腾讯')
  await aCustomCrowd(page, {
    name: phones,
    adv_id,
    user_id_type: 'HASH_MOBILE_PHONE',
    dir_id: folder.id,
    files: { 'b.txt': md5s(1200, 60_000).join('\n') },
  })
  await open(page, folder.id)
  const dialog = page.getByRole('dialog')

  // Only one platform accepts the type, so it is preselected.
  await crowdRowOf(page, phones).getByRole('button', { name: '推送至' }).click()
  await expect(dialog.locator('.ant-select-selection-item-content')).toHaveText('腾讯广告')
  await dialog.getByRole('button', { name: '推送', exact: true }).click()
  await expect(dialog.getByText('请选择广告主').last()).toBeVisible()
  await dialog.getByRole('button', { name: '取消' }).click()
  await expect(dialog).toHaveCount(0)

  await crowdRowOf(page, name).getByRole('button', { name: '推送至' }).click()
  await dialog.getByRole('button', { name: '推送', exact: true }).click()
  await expect(dialog.locator('.ant-form-item-explain').getByText('请选择平台')).toBeVisible()
  await expect(dialog.locator('.ant-form-item-explain').getByText('请选择广告主')).toBeVisible()
  await chooseSeveral(page, dialog, '平台', ['腾讯广告', '巨量引擎'])
  // A search that found nothing is over when the field is left.
  await dialog.getByLabel('投放账户', { exact: true }).fill('没有这个账户')
  await expect(page.getByText('没有符合的账户')).toBeVisible()
  await dialog.locator('.ant-modal-title').click()
  await chooseSeveral(page, dialog, '投放账户', [accounts.social, accounts.video])
  for (const platform of ['腾讯广告', '巨量引擎']) {
    const check = dialog.getByRole('region', { name: `推送前检查：${platform}` })
    await expect(check.getByRole('row').filter({ hasText: 'IMEI-MD5' })).toContainText('1,200')
    await expect(check).toContainText('/ 500')
  }
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '推送', exact: true }).click()
  await expect(page.getByText('已提交推送（2 / 2 个账户），进度见任务')).toBeVisible()
  await page.locator('.ant-message').getByRole('button', { name: '任务' }).click()
  const tray = page.getByRole('region', { name: '任务列表' })
  await expect(tray.locator('[aria-current]')).toContainText(`推送人群「${name}」到「${accounts.social}」`)
  await page.getByRole('heading', { level: 1 }).click()
  await expect(tray).toBeHidden()
  await expect(page.getByText('推送成功：').first()).toBeVisible({ timeout: 60_000 })

  await unfold(page, name)
  for (const account of Object.values(accounts)) {
    await expect(childRowOf(page, account)).toContainText('可用', { timeout: 60_000 })
    await expect(childRowOf(page, account)).toContainText(/ID \d{10,}/)
  }
  // The sandbox covers seven of ten values.
  await expect(childRowOf(page, accounts.social)).toContainText('840')
  await expect(crowdRowOf(page, name).getByRole('img', { name: '推送成功' })).toHaveCount(2)
  await expectAccessible(page)

  await childRowOf(page, accounts.video).getByRole('button', { name: '查看' }).click()
  const funnel = dialog.getByRole('region', { name: '漏斗' })
  await expect(funnel.getByRole('columnheader')).toHaveCount(1)
  await expect(funnel.getByRole('row').filter({ hasText: '已发送' })).toContainText('1,200')
  await expect(funnel.getByRole('row').filter({ hasText: '覆盖' })).toContainText('平台未匹配到用户')
  await expect(dialog.getByRole('region', { name: '配额' })).toContainText('/ 500')
  await dialog.getByRole('tab', { name: '推送记录' }).click()
  // The previous panel may still be visible.
  const pushes = dialog.getByRole('tabpanel', { name: '推送记录' })
  const record = pushes.getByRole('row').filter({ hasText: accounts.video })
  await expect(record).toContainText('推送成功')
  // The funnel shows what was sent and accepted.
  await expect(record.getByRole('cell', { name: '1,200', exact: true })).toHaveCount(2)
  await dialog.getByRole('button', { name: '展开各部分' }).first().click()
  await dialog.getByRole('button', { name: '展开请求与应答' }).first().click()
  await expect(dialog.getByText('应答', { exact: true }).first()).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  // Where an account's quota is full, its audiences are listed.
  const listed = await api<{ data: { id: number }[] }>(page, 'get', `/api/advertiser/list?auth_type=2&adv_id=${adv_id}`)
  const back = page.url()
  await page.goto(`/basic-manage/index/advertiser-data?account_id=${listed.data[0]?.id}&panel=audiences`)
  await expect(page.getByRole('dialog').getByRole('row').filter({ hasText: name })).toContainText('可用')
  await expectAccessible(page)
  await page.goto(back)
  await unfold(page, name)

  // A crowd with audiences is not deleted; once they are deleted it can be.
  await page.getByRole('button', { name: `「${name}」的更多操作` }).click()
  const refused = page.getByRole('menuitem', { name: /^删除.*还有 2 个子人群/ })
  await expect(refused).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await more(page, accounts.video, '删除')
  await expect(dialog).toContainText('平台上的人群包会一并删除')
  await dialog.getByRole('button', { name: '删除' }).click()
  await expect(childRowOf(page, accounts.video)).toHaveCount(0)

  // Without an authorisation the audience is deleted only here.
  const revoked = await api<{ data: { id: number }[] }>(
    page,
    'get',
    `/api/advertiser/list?auth_type=1&adv_id=${adv_id}`,
  )
  await api(page, 'post', `/api/oauth/revoke/${revoked.data[0]?.id}`)
  await more(page, accounts.social, '删除')
  await expect(dialog).toContainText('平台上的人群包可能继续存在')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '仅在本地删除' }).click()
  await expect(childRowOf(page, accounts.social)).toHaveCount(0)
  await more(page, name, '删除')
  await dialog.getByRole('button', { name: '删除' }).click()
  await expect(page.getByText('删除人群成功').last()).toBeVisible()
  await expect(crowdRowOf(page, name)).toHaveCount(0)
})

test('adding and removing files makes versions, and an older one is restored', async ({ page }) => {
  const folder = await aFolder(page, '版本')
  const name = named('有版本的人群')
  const id = await aCustomCrowd(page, {
    name,
    adv_id,
    dir_id: folder.id,
    files: { '起初.txt': md5s(100, 70_000).join('\n') },
  })
  const change = async (operation_type: 1 | 2, file: string, values: string[]) => {
    const files = [await uploadFile(page, file, values.join('\n'))]
    await api(page, 'put', '/api/v1/gdtcrowd/crowd/custom/update', { id, operation_type, files })
    await checked(page, id)
  }
  await change(1, '追加.txt', md5s(60, 70_080))
  await change(2, '删减.txt', md5s(30, 70_000))
  await open(page, folder.id)
  await expect(crowdRowOf(page, name)).toContainText('110')
  await crowdRowOf(page, name).getByRole('button', { name, exact: true }).click()
  const drawer = page.getByRole('dialog').first()
  const step = drawer.getByRole('row').filter({ has: page.getByRole('rowheader', { name: '去重' }) })
  await expect(step).toContainText('此前已有 −20')
  await expect(step).toContainText('被删减 −30')

  await drawer.getByRole('tab', { name: '更新记录' }).click()
  const entry = (text: string) => drawer.getByRole('row').filter({ hasText: text })
  await expect(entry('追加.txt')).toContainText('140')
  await expect(entry('删减.txt')).toContainText('110')
  await expect(entry('删减.txt')).toContainText('（当前）')
  await expect(entry('删减.txt').getByRole('button', { name: '恢复' })).toHaveCount(0)
  await entry('追加.txt').getByRole('button', { name: '恢复' }).click()
  const question = page.getByRole('dialog').filter({ hasText: '恢复到版本 2？' })
  await expect(question).toContainText('140 个标识')
  await question.getByRole('button', { name: '恢复' }).click()
  await expect(page.getByText('已恢复到版本 2，正在计算')).toBeVisible()
  await expect(entry('恢复自版本 2')).toContainText('（当前）', { timeout: 30_000 })
  await expect(entry('恢复自版本 2')).toContainText('140')
  await drawer.getByLabel('操作类型').click()
  await page.locator('.ant-select-item-option').filter({ hasText: '新建' }).click()
  await expect(entry('追加.txt')).toHaveCount(0)
  await expect(entry('起初.txt')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(crowdRowOf(page, name)).toContainText('140')
})

test('several crowds are checked before their deletion is asked, and a folder’s failure says what it must be', async ({
  page,
}) => {
  const folder = await aFolder(page, '一起删')
  const names = [named('一起甲'), named('一起乙')]
  for (const [i, name] of names.entries())
    await aCustomCrowd(page, { name, adv_id, dir_id: folder.id, files: { 'a.txt': md5s(5, 85_000 + i).join('\n') } })
  const deletions: (string | null)[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/v1/gdtcrowd/crowd/custom/delete') deletions.push(searchParams.get('check'))
  })
  await open(page, folder.id)
  await page.getByRole('checkbox', { name: '全选本页' }).check()
  await page.getByRole('region', { name: '批量操作' }).getByRole('button', { name: '删除' }).click()
  const question = page.getByRole('dialog', { name: '删除选中的 2 个人群？' })
  await expect(question).toBeVisible()
  expect(deletions).toEqual(['1', '1'])
  await question.getByRole('button', { name: '删除' }).click()
  await expect(page.getByText('此文件夹下还没有自定义人群')).toBeVisible()
  expect(deletions).toHaveLength(4)

  const answer = { status: 500, json: { code: 1, msg: '', data: null } }
  await page.route(`**${FOLDERS}/${folder.id}?*`, (route) => route.fulfill(answer))
  await page.getByRole('treeitem', { name: named('一起删') }).hover()
  await page.getByRole('button', { name: `文件夹「${named('一起删')}」的操作` }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await expect(page.getByRole('dialog', { name: '无法删除文件夹' })).toContainText('请保存人群为空')
})

test('folders are created, renamed and kept while they have crowds; crowds are moved and renamed', async ({ page }) => {
  const from = await aFolder(page, '移出')
  await aFolder(page, '移入')
  const names = [named('甲人群'), named('乙人群')]
  for (const [i, name] of names.entries())
    await aCustomCrowd(page, { name, adv_id, dir_id: from.id, files: { 'a.txt': md5s(5, 80_000 + i).join('\n') } })
  await open(page, from.id)
  const tree = page.getByRole('region', { name: '文件夹' })
  const dialog = page.getByRole('dialog')
  const folderMenu = async (folder: string, item: string) => {
    await tree.getByText(named(folder), { exact: true }).hover()
    await tree.getByRole('button', { name: `文件夹「${named(folder)}」的操作` }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }

  // The default folder is first and cannot be changed.
  await expect(tree.getByRole('treeitem').first()).toContainText('默认分组')
  await tree.getByText('默认分组').hover()
  await tree.getByRole('button', { name: '文件夹「默认分组」的操作' }).click()
  for (const item of [/^重命名/, /^移动到/, /^删除/])
    await expect(page.getByRole('menuitem', { name: item })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')

  await folderMenu('移出', '新建子文件夹')
  await expect(dialog).toContainText('上级文件夹')
  await dialog.getByLabel('文件夹名称').fill('子 文件夹')
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(dialog.getByText('名称只支持中英文，数字，横杠，下划线')).toBeVisible()
  await dialog.getByLabel('文件夹名称').fill(named('子夹'))
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(page.getByText('新建文件夹成功')).toBeVisible()
  await expect(page.getByText('此文件夹下还没有自定义人群')).toBeVisible()
  await expectAccessible(page)
  await folderMenu('移入', '重命名')
  await dialog.getByLabel('文件夹名称').fill(named('移出'))
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(dialog.getByText('同级目录下不允许重名')).toBeVisible()
  await dialog.getByLabel('文件夹名称').fill(named('新家'))
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(tree.getByText(named('新家'), { exact: true })).toBeVisible()

  await folderMenu('移出', '删除')
  const refusal = dialog.filter({ hasText: '无法删除文件夹' })
  await expect(refusal).toContainText('当前文件夹下存在人群包，请先移除人群包后再对文件夹进行删除操作。')
  await refusal.getByRole('button', { name: '知道了' }).click()
  await expect(dialog).toHaveCount(0)

  // Without a folder in the address the last selected one is shown.
  await tree.getByText(named('移出'), { exact: true }).click()
  await expect(crowdRowOf(page, names[0] ?? '')).toBeVisible()
  await page.goto(LIST)
  await expect(crowdRowOf(page, names[0] ?? '')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`dir_id=${from.id}`))

  await more(page, names[0] ?? '', '重命名')
  await dialog.getByLabel('人群名称').fill(names[1] ?? '')
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(dialog.getByText('同级目录下不允许重名')).toBeVisible()
  await dialog.getByLabel('人群名称').fill(named('丙人群'))
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(page.getByText('修改成功').last()).toBeVisible()
  await expect(crowdRowOf(page, named('丙人群'))).toBeVisible()

  await page.getByRole('checkbox', { name: '全选本页' }).check()
  await page.getByRole('region', { name: '批量操作' }).getByRole('button', { name: '移动' }).click()
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(page.getByText('请选择移动的文件夹')).toBeVisible()
  await dialog.getByLabel('搜索文件夹').fill('新家')
  await expect(dialog.getByText(named('移出'), { exact: true })).toHaveCount(0)
  await dialog.getByText(named('新家'), { exact: true }).click()
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(page.getByText('文件夹移动成功')).toBeVisible()
  await expect(page.getByText('此文件夹下还没有自定义人群')).toBeVisible()
  await tree.getByText(named('新家'), { exact: true }).click()
  await expect(crowdRowOf(page, named('丙人群'))).toBeVisible()
  await expect(crowdRowOf(page, names[1] ?? '')).toBeVisible()

  await folderMenu('移出', '删除')
  await dialog.getByRole('button', { name: '删除' }).click()
  await expect(page.getByText('删除文件夹成功')).toBeVisible()
  await expect(tree.getByText(named('移出'), { exact: true })).toHaveCount(0)
})

test('a crowd that a rule uses is not deleted, and says which rule uses it', async ({ page }) => {
  const folder = await aFolder(page, '被引用')
  const name = named('历史人群')
  const id = await aCustomCrowd(page, {
    name,
    adv_id,
    dir_id: folder.id,
    files: { 'a.txt': md5s(5, 90_000).join('\n') },
  })
  await aCrowd(page, { name: named('引用它的定向包'), adv_id, uses: { id, tag_type: 3 } })
  await open(page, folder.id)
  await more(page, name, '删除')
  const refusal = page.getByRole('dialog').filter({ hasText: '无法删除' })
  await expect(refusal).toContainText(named('引用它的定向包'))
  await expectAccessible(page)
  await refusal.getByRole('button', { name: '知道了' }).click()
  await expect(crowdRowOf(page, name)).toBeVisible()

  // An uploaded crowd has no rule to load.
  await page.goto('/cowd-manage/cowd-assets/edit/0?entry=workbench')
  await page.getByRole('tab', { name: '历史人群' }).click()
  const editor = editorOf(page)
  await expect(editor.tag(named('引用它的定向包')).getByText('载入')).toBeVisible()
  await expect(editor.tag(name)).toBeVisible()
  await expect(editor.tag(name).getByText('载入')).toHaveCount(0)
})

test('filters find crowds, say when there are none, and are kept in the address', async ({ page }) => {
  const folder = await aFolder(page, '筛选')
  const names = [named('找得到的人群'), named('别的')]
  for (const [i, name] of names.entries())
    await aCustomCrowd(page, { name, adv_id, dir_id: folder.id, files: { 'a.txt': md5s(5, 95_000 + i).join('\n') } })
  await open(page, folder.id)
  const filters = page.getByRole('search', { name: '筛选' }).first()
  await filters.getByLabel('名称').fill('找得到')
  await expect(crowdRowOf(page, names[0] ?? '')).toBeVisible()
  await expect(crowdRowOf(page, names[1] ?? '')).toHaveCount(0)
  await page.reload()
  await expect(filters.getByLabel('名称')).toHaveValue('找得到')
  await expect(crowdRowOf(page, names[1] ?? '')).toHaveCount(0)
  await filters.getByLabel('名称').fill('没有这个')
  await expect(page.getByText('没有符合条件的人群')).toBeVisible()
  await page.getByRole('button', { name: '清除筛选' }).last().click()
  await expect(crowdRowOf(page, names[1] ?? '')).toBeVisible()
  await page.getByRole('columnheader', { name: '创建时间' }).click()
  await expect(page).toHaveURL(/sort=created_at/)
  await expect(page.getByRole('row').nth(1)).toContainText(names[0] ?? '')

  // A list that fails to load says so in place.
  await page.route('**/crowd/custom/list?**', (route) => route.fulfill({ status: 503, body: 'down' }))
  await page.reload()
  await expect(page.getByText('自定义人群列表加载失败')).toBeVisible({ timeout: 20_000 })
  await page.unroute('**/crowd/custom/list?**')
  await page.getByRole('button', { name: '重试' }).click()
  await expect(crowdRowOf(page, names[0] ?? '')).toBeVisible()
})
