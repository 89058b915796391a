import { expectAccessible } from './axe.ts'
import { aCrowd, api, selectAdvertiser, type TreeNode } from './crowds.ts'
import { somePeople } from './people.ts'
import { anAdvertiserOf } from './population.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'

const categoryMenu = async (page: Page, category: string, item: string) => {
  await page.getByRole('button', { name: new RegExp(`^${category}`) }).hover()
  await page.getByRole('button', { name: `分类「${category}」的操作` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

let adv_id = 0
let tagOf: (name: string) => number
test.beforeAll(async ({ admin }) => {
  ;({ adv_id, tagOf } = await anAdvertiserOf(admin, `分类测试${SUFFIX}`, somePeople(60)))
})

test('a category is created with an icon, renamed, and deleted once its tags are named', async ({ page }) => {
  test.slow()
  await selectAdvertiser(page, adv_id)
  await page.goto('/cowd-manage/tags')
  const list = page.getByRole('region', { name: '标签分类' })
  const dialog = page.getByRole('dialog')
  const button = (name: string) => list.getByRole('button', { name: new RegExp(`^${name}`) }).first()

  // The icon covers the radio.
  const icon = (name: string) => dialog.locator('label').filter({ has: page.getByRole('radio', { name, exact: true }) })

  await list.getByRole('button', { name: '新建分类' }).click()
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(dialog.getByText('请输入分类名称')).toBeVisible()
  await dialog.getByLabel('分类名称').fill('城市偏好')
  await dialog.getByText('事件标签', { exact: true }).click()
  await icon('城市级别').click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(button('城市偏好')).toContainText('0')
  const icons = async () => {
    const { list } = await api<{ list: { name: string; icon: string; tag_type: number; id: number }[] }>(
      page,
      'get',
      `/api/tag/category?adv_id=${adv_id}`,
    )
    return list
  }
  expect(await icons()).toContainEqual(expect.objectContaining({ name: '城市偏好', icon: 'city_level', tag_type: 2 }))
  const drawn = await button('城市偏好').locator('svg').innerHTML()

  await list.getByRole('button', { name: '新建分类' }).click()
  await dialog.getByLabel('分类名称').fill('城市偏好')
  await dialog.getByText('事件标签', { exact: true }).click()
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(dialog.locator('.ant-form-item-explain-error')).toBeVisible()
  await dialog.getByRole('button', { name: '取消' }).click()
  await expect(dialog).toHaveCount(0)

  await categoryMenu(page, '城市偏好', '编辑')
  await dialog.getByLabel('分类名称').fill('支付行为')
  await icon('支付').click()
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(button('支付行为')).toBeVisible()
  expect(await button('支付行为').locator('svg').innerHTML()).not.toBe(drawn)
  await expect(button('城市偏好')).toHaveCount(0)

  const category_id = (await icons()).find((one) => one.name === '支付行为')?.id ?? 0
  const definition = { kind: 'event', event: '支付', window_days: null }
  await api(page, 'post', '/api/tag', { adv_id, name: '付过钱', category_id, definition })
  await page.reload()
  await expect(button('支付行为')).toContainText('1')
  await categoryMenu(page, '支付行为', '删除')
  const question = page.getByRole('dialog').filter({ hasText: '删除分类「支付行为」' })
  await expect(question).toContainText('其中的 1 个标签会一并删除')
  await expectAccessible(page)
  await question.getByRole('button', { name: '取消' }).click()
  await expect(question).toHaveCount(0)
  await expect(button('支付行为')).toContainText('1')

  // Beyond the first page of tags.
  await page.getByLabel('搜索标签名称').fill('付过钱')
  await page.getByRole('button', { name: '「付过钱」的更多操作' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
  await expect(page.getByText('删除成功')).toBeVisible()
  await button('支付行为').click()
  await expect(page).toHaveURL(/category_id=/)
  await categoryMenu(page, '支付行为', '删除')
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
  await expect(button('支付行为')).toHaveCount(0)
  await expect(page).not.toHaveURL(/category_id=/)
})

test('a tag that crowds use is kept with its category, and links lead to the crowds', async ({ page, context }) => {
  await selectAdvertiser(page, adv_id)
  const { list } = await api<{ list: { id: number }[] }>(page, 'get', `/api/tag/category?adv_id=${adv_id}`)
  const definition = { kind: 'event', event: '支付', window_days: null }
  const events = await api<{ id: number }>(page, 'post', '/api/tag/category', {
    adv_id,
    name: '行为',
    icon: 'pay',
    tag_type: 2,
  })
  expect(list.length).toBeGreaterThan(0)
  const tag = await api<{ id: number }>(page, 'post', '/api/tag', {
    adv_id,
    name: '占用标签',
    category_id: events.id,
    definition,
  })
  // A crowd can use a tag once it is counted.
  await expect(async () => {
    const tree = await api<{ data: TreeNode[] }>(page, 'get', `/api/tree?adv_id=${adv_id}&tag_type=2`)
    const found = tree.data.flatMap((category) => category.group ?? []).find((one) => one.id === tag.id)
    expect(found?.count).toEqual(expect.any(Number))
  }).toPass()
  const users = ['一号人群', '二号人群'].map((name) => `${name}${SUFFIX}`)
  for (const name of users) await aCrowd(page, { name, adv_id, uses: { id: tag.id, tag_type: 2 } })
  await aCrowd(page, { name: `无关人群${SUFFIX}`, adv_id, uses: { id: tagOf('全部用户'), tag_type: 1 } })
  await page.goto('/cowd-manage/tags?keyword=占用')
  await page.getByRole('button', { name: '「占用标签」的更多操作' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  const refusal = page.getByRole('dialog').filter({ hasText: '无法删除标签' })
  await expect(refusal.getByRole('link')).toHaveText(users)
  const [opened] = await Promise.all([
    context.waitForEvent('page'),
    refusal.getByRole('link', { name: users[0] ?? '' }).click(),
  ])
  await expect(opened.getByRole('heading', { level: 1, name: users[0] ?? '' })).toBeVisible()
  await opened.close()
  await refusal.getByRole('button', { name: '知道了' }).click()
  await page.getByRole('button', { name: '被 2 个人群使用' }).click()
  await expect(page.getByRole('link', { name: users[1] ?? '' })).toBeVisible()
  await page.keyboard.press('Escape')

  await categoryMenu(page, '行为', '删除')
  const kept = page.getByRole('dialog').filter({ hasText: '无法删除分类「行为」' })
  await expect(kept).toContainText('以下人群正在使用其中的标签')
  await expect(kept.getByRole('link')).toHaveText(users)
  await kept.getByRole('button', { name: '知道了' }).click()
})

test('tags are hidden, moved and deleted together, and the question names those that stay', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  const crowd = `用一线${SUFFIX}`
  await aCrowd(page, { name: crowd, adv_id, uses: { id: tagOf('一线'), tag_type: 1 } })
  await page.goto('/cowd-manage/tags?page_size=50')
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })
  const bar = page.getByRole('region', { name: '批量操作' })
  const dialog = page.getByRole('dialog')
  for (const name of ['一线', '二线']) await row(name).getByRole('checkbox').check()
  await bar.getByRole('button', { name: '隐藏' }).click()
  await expect(page.getByText('2 个标签已隐藏')).toBeVisible()

  for (const name of ['一线', '二线']) await row(name).getByRole('checkbox').check()
  await bar.getByRole('button', { name: '移动' }).click()
  // What was chosen is not lost by Esc.
  await dialog.getByLabel('移动到分类').click()
  await page.locator('.ant-select-dropdown:visible .ant-select-item').filter({ hasText: '性别' }).click()
  // Esc closes what is on top: the list of categories until it is gone.
  await expect(page.locator('.ant-select-dropdown:visible')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '继续编辑' }).click()
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(page.getByText('移动成功')).toBeVisible()

  for (const name of ['一线', '二线']) await row(name).getByRole('checkbox').check()
  await bar.getByRole('button', { name: '删除' }).click()
  await expect(dialog).toContainText('删除 1 个标签？')
  await expect(dialog).toContainText('正在被使用的会保留：「一线」。')
  await dialog.getByRole('button', { name: '删除' }).click()
  await expect(dialog).toContainText('1 个标签已删除，1 个正在被使用而保留')
  await expect(dialog.getByRole('link', { name: crowd })).toBeVisible()
  await page.keyboard.press('Escape')
  await row('一线').getByRole('checkbox').check()
  await bar.getByRole('button', { name: '删除' }).click()
  await expect(dialog).toContainText('无法删除标签')
  await expect(dialog.getByRole('link', { name: crowd })).toBeVisible()
})
