import { expectAccessible } from './axe.ts'
import { aCrowd, anAdvertiser, aViewer, crowdRow, selectAdvertiser } from './crowds.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'

const LIST = '/cowd-manage/cowd-assets'
const TABS = ['组合定向包', '腾讯广告定向包', '巨量引擎定向包', '巨量千川定向包']
const refusalOf = (page: Page, module: string) => page.getByText(`没有权限，无法查看或新建${module}`)

test('a viewer without advertisers is told so on every page, with how to get one', async ({ page, openAs }) => {
  const theirs = await openAs(await aViewer(page, `nobody${SUFFIX}`, []))
  await theirs.goto(LIST)
  for (const [i, tab] of TABS.entries()) {
    await theirs.getByRole('tab', { name: tab }).click()
    await expect(refusalOf(theirs, tab)).toBeVisible()
    await expect(theirs).toHaveURL(i === 0 ? /cowd-assets(\?|$)/ : new RegExp(`cowd-assets/${i + 1}`))
    await expect(theirs.getByRole('button', { name: '新建组合定向包' })).toHaveCount(0)
    await expect(theirs.getByRole('table')).toHaveCount(0)
  }
  await expect(theirs.getByText('请联系管理员新建或分配')).toBeVisible()
  await expect(theirs.getByRole('combobox', { name: '当前广告主' })).toHaveCount(0)
  await expectAccessible(theirs)
  await theirs.getByRole('link', { name: '重新授权' }).click()
  await expect(theirs).toHaveURL('/basic-manage/index/advertiser-data')
  await expect(theirs.getByText('还没有广告主')).toBeVisible()
  await expect(theirs.getByRole('button', { name: '新建广告主' })).toHaveCount(0)
  await expectAccessible(theirs)

  await theirs.goto(`${LIST}/edit/0`)
  await expect(theirs.getByText('还没有可用的广告主')).toBeVisible()
  await theirs.goto('/cowd-manage/tags')
  await expect(theirs.getByText('还没有可用的广告主')).toBeVisible()
  await theirs.goto('/basic-manage/index/data-access')
  await expect(theirs.getByRole('heading', { level: 1, name: '数据接入' })).toBeVisible()
  await expectAccessible(theirs)
})

/** What a platform's tab says while it has no packages, or cannot have any yet. */
const emptyOf = (tab: string) => new RegExp(`还没有${tab}`)

test('a tab whose authority is of another type reloads the advertisers', async ({ page, openAs }) => {
  const { id } = await anAdvertiser(page, `权限类型${SUFFIX}`)
  const theirs = await openAs(await aViewer(page, `types${SUFFIX}`, [id]))
  const reloads: URLSearchParams[] = []
  theirs.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/advertiser/list') reloads.push(searchParams)
  })
  await theirs.goto(LIST)
  await expect(theirs.getByRole('combobox', { name: '当前广告主' })).toBeVisible()
  await theirs.waitForLoadState('networkidle')
  for (const tab of TABS.slice(1)) {
    reloads.length = 0
    await theirs.getByRole('tab', { name: tab }).click()
    await expect(theirs.getByText(emptyOf(tab))).toBeVisible()
    await expect.poll(() => reloads.map((of) => of.get('auth_type')), tab).toEqual(['-1'])
  }
  // Pages whose authority is of the same type do not.
  await theirs.getByRole('tab', { name: '组合定向包' }).click()
  await expect(theirs.getByRole('button', { name: '新建组合定向包' }).first()).toBeVisible()
  await theirs.waitForLoadState('networkidle')
  reloads.length = 0
  await theirs.getByRole('menuitem', { name: '标签管理' }).click()
  await expect(theirs.getByRole('heading', { level: 1, name: '标签管理' })).toBeVisible()
  await theirs.getByRole('menuitem', { name: '人群资产' }).click()
  await expect(theirs.getByRole('combobox', { name: '广告主', exact: true })).toBeVisible()
  await theirs.waitForLoadState('networkidle')
  expect(reloads).toEqual([])
})

test('another viewer’s advertiser is shown nowhere, and its addresses are refused', async ({ page, openAs }) => {
  const mine = await anAdvertiser(page, `自有${SUFFIX}`)
  const other = await anAdvertiser(page, `他人${SUFFIX}`)
  const own = await aCrowd(page, {
    name: `自有人群${SUFFIX}`,
    adv_id: mine.id,
    uses: { id: mine.everyone, tag_type: 1 },
  })
  const hidden = await aCrowd(page, {
    name: `他人人群${SUFFIX}`,
    adv_id: other.id,
    uses: { id: other.everyone, tag_type: 1 },
  })
  const theirs = await openAs(await aViewer(page, `member${SUFFIX}`, [mine.id]))
  // A remembered choice of another viewer reveals nothing.
  await selectAdvertiser(theirs, other.id)

  await theirs.goto(`${LIST}?dir_id=1`)
  await expect(crowdRow(theirs, `自有人群${SUFFIX}`)).toContainText('已完成')
  await expect(theirs.getByText(`他人人群${SUFFIX}`)).toHaveCount(0)
  await expect(theirs.getByRole('combobox', { name: '当前广告主' }).locator('..')).toContainText(`自有${SUFFIX}`)
  await theirs.getByRole('combobox', { name: '广告主', exact: true }).click()
  await expect(theirs.getByTitle(`自有${SUFFIX}`, { exact: true }).last()).toBeVisible()
  await expect(theirs.getByTitle(`他人${SUFFIX}`, { exact: true })).toHaveCount(0)
  for (const tab of [2, 3, 4]) {
    await theirs.goto(`${LIST}/${tab}`)
    await expect(theirs.getByText(emptyOf(TABS[tab - 1] ?? ''))).toBeVisible()
  }

  await theirs.goto(`${LIST}?dir_id=1&adv_id=${other.id}`)
  await expect(theirs.getByText(`他人人群${SUFFIX}`)).toHaveCount(0)
  await expect(theirs.getByRole('heading', { level: 1, name: '人群资产' })).toBeVisible()
  for (const kind of ['watch', 'edit']) {
    await theirs.goto(`${LIST}/${kind}/${hidden}`)
    await expect(theirs.getByText('没有这个人群'), kind).toBeVisible()
    await expect(theirs.getByText(`他人人群${SUFFIX}`)).toHaveCount(0)
    await expectAccessible(theirs)
  }
  await theirs.goto(`${LIST}/watch/${own}`)
  await expect(theirs.getByText(`自有人群${SUFFIX}`)).toBeVisible()
  await theirs.goto('/basic-manage/index/users')
  await expect(theirs.getByText('没有权限查看成员管理')).toBeVisible()
})

test('a member who may only look sees everything, and what changes it is disabled with the reason', async ({
  page,
  openAs,
}) => {
  const { id, everyone } = await anAdvertiser(page, `只读${SUFFIX}`)
  await aCrowd(page, { name: `只读人群${SUFFIX}`, adv_id: id, uses: { id: everyone, tag_type: 1 } })
  const theirs = await openAs(await aViewer(page, `reader${SUFFIX}`, [id], { read_only_adv_ids: [id] }))
  await theirs.goto(`${LIST}?dir_id=1`)
  const row = crowdRow(theirs, `只读人群${SUFFIX}`)
  await expect(row.getByRole('link', { name: `只读人群${SUFFIX}` })).toBeVisible()
  await expect(row.getByRole('button', { name: '复制', exact: true })).toBeDisabled()
  await expect(theirs.getByRole('button', { name: '新建文件夹' })).toBeDisabled()
  const create = theirs.getByRole('button', { name: '新建组合定向包' })
  await expect(create).toBeDisabled()
  await create.hover({ force: true })
  await expect(theirs.getByRole('tooltip')).toContainText('只有查看权限')
  await theirs.keyboard.press('ControlOrMeta+k')
  await expect(theirs.getByRole('option', { name: '人群资产' })).toBeVisible()
  await expect(theirs.getByRole('option', { name: '新建组合定向包' })).toHaveCount(0)

  const disabledOn: [string, string[]][] = [
    ['/cowd-manage/custom-crowd', ['文件上传']],
    ['/cowd-manage/tags', ['新建标签', '全部重算', '新建分类']],
    ['/basic-manage/index/suppression', ['加入屏蔽名单', '保存']],
    ['/basic-manage/index/webhooks', ['新建通知']],
    ['/basic-manage/index/advertiser-data', ['授权腾讯广告账户']],
  ]
  for (const [path, names] of disabledOn) {
    await theirs.goto(path)
    for (const name of names) await expect(theirs.getByRole('button', { name }).first(), name).toBeDisabled()
    await expectAccessible(theirs)
  }
})

test('what a member may change of a crowd is what they may change of its advertiser', async ({ page, openAs }) => {
  const looked = await anAdvertiser(page, `只看${SUFFIX}`)
  const worked = await anAdvertiser(page, `可改${SUFFIX}`)
  const ids: Record<string, number> = {}
  for (const [name, { id, everyone }] of Object.entries({ 只看的人群: looked, 可改的人群: worked }))
    ids[name] = await aCrowd(page, { name: `${name}${SUFFIX}`, adv_id: id, uses: { id: everyone, tag_type: 1 } })
  const both = [looked.id, worked.id]
  const theirs = await openAs(await aViewer(page, `half${SUFFIX}`, both, { read_only_adv_ids: [looked.id] }))
  const drawer = theirs.getByRole('dialog').filter({ hasText: '平台人群' })
  const push = drawer.getByRole('button', { name: '推送至' }).first()

  await selectAdvertiser(theirs, looked.id)
  await theirs.goto(`${LIST}?dir_id=1&adv_id=all&crowd=${ids.可改的人群}`)
  await expect(push).toBeEnabled()
  await selectAdvertiser(theirs, worked.id)
  await theirs.goto(`${LIST}?dir_id=1&adv_id=all&crowd=${ids.只看的人群}`)
  await expect(push).toBeDisabled()
})
