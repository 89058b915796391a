import type { Locator } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { aCrowd, aViewer, crowdRow, selectAdvertiser } from './crowds.ts'
import { dayAhead, editorOf } from './editor-page.ts'
import { count, grouped, type Person, somePeople } from './people.ts'
import { anAdvertiserOf } from './population.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'

const people = somePeople(840)
const isMan = (one: Person) => one.性别 === '男'
const isMember = (one: Person) => one.会员 === '是'
const paid = (one: Person) => one.支付 > 0
const LIST = '/cowd-manage/cowd-assets'
const newCrowd = '/cowd-manage/cowd-assets/edit/0'

let adv_id = 0
let tagOf: (name: string) => number

test.beforeAll(async ({ admin }) => {
  ;({ adv_id, tagOf } = await anAdvertiserOf(admin, `编辑旅程${SUFFIX}`, people))
})

test.beforeEach(async ({ page }) => {
  await selectAdvertiser(page, adv_id)
})

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, place: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  for (let presses = 0; presses < 60; presses++) {
    if (await place.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  await expect(place).toBeFocused()
}

/** Moves down the tree to a tag and adds it. */
async function takeTag(page: Page, tree: Locator, name: string) {
  await page.keyboard.press('Home')
  const active = tree.getByRole('treeitem', { selected: true })
  const wanted = active.filter({ has: page.getByText(name, { exact: true }) })
  for (let presses = 0; presses < 40 && (await wanted.count()) === 0; presses++) await page.keyboard.press('ArrowDown')
  await expect(wanted).toBeVisible()
  await page.keyboard.press('Enter')
}

test('a crowd is built and saved without a mouse', async ({ page }) => {
  test.slow()
  const editor = editorOf(page)
  const name = `键盘人群${SUFFIX}`
  await page.goto(newCrowd)
  const tree = page.getByRole('tree', { name: '属性标签' })
  await expect(editor.tag('男')).toBeVisible()

  await tabTo(page, tree)
  await takeTag(page, tree, '男')
  await editor.expectRule(1, count(people, isMan))

  await tabTo(page, editor.rule(1))
  await page.keyboard.press('a')
  await expect(page.getByRole('menuitem', { name: /^交/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(editor.rule(1)).toBeFocused()
  await page.keyboard.press('a')
  // A menu takes the focus some frames after it is shown.
  await expect(page.getByRole('menuitem', { name: /^交/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(editor.rule(2)).toBeFocused()
  await page.keyboard.press('/')
  await expect(editor.search).toBeFocused()
  await page.keyboard.type('会员')
  await expect(editor.tag('男')).toHaveCount(0)
  await page.keyboard.press('ArrowDown')
  await takeTag(page, page.getByRole('tree', { name: '搜索结果' }), '是')
  await editor.expectTotal(count(people, (one) => isMan(one) && isMember(one)))

  await tabTo(page, editor.rule(2))
  await page.keyboard.press('Shift+U')
  await editor.expectTotal(count(people, (one) => isMan(one) || isMember(one)))
  await page.keyboard.press('Shift+E')
  await editor.expectTotal(count(people, (one) => isMan(one) && !isMember(one)))
  await page.keyboard.press('ArrowLeft')
  await expect(editor.rule(1)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: /^并/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(editor.rule(1)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(editor.chip('男')).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(editor.rule(1)).toHaveAccessibleName('规则 1，空')
  await page.keyboard.press('Control+z')
  await editor.expectRule(1, count(people, isMan))
  await page.keyboard.press('?')
  await expect(page.getByText('在标签、表单与画布之间移动')).toBeVisible()
  await page.keyboard.press('Escape')

  await tabTo(page, editor.name, 'Shift+Tab')
  await page.keyboard.type(name)
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('失效时间')).toBeFocused()
  await page.keyboard.type(dayAhead(10))
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('提交成功')).toBeVisible()
  await expect(crowdRow(page, name)).toContainText('已完成', { timeout: 30_000 })
  await expect(crowdRow(page, name)).toContainText(grouped(count(people, (one) => isMan(one) && !isMember(one))))
})

test('of two viewers editing a crowd, the second sees what the first saved and loses nothing', async ({
  page,
  openAs,
}) => {
  test.slow()
  const name = `两人同改${SUFFIX}`
  const id = await aCrowd(page, { name, adv_id, uses: { id: tagOf('男'), tag_type: 1 } })
  const other = await openAs(await aViewer(page, `lin${SUFFIX}`, [adv_id], { realname: '林同事' }))
  const mine = editorOf(page)
  const theirs = editorOf(other)
  await page.goto(`${LIST}/edit/${id}`)
  await other.goto(`${LIST}/edit/${id}`)
  await mine.expectTotal(count(people, isMan))

  await theirs.drag(theirs.tag('是'), theirs.rule(1), '加入此规则，取交集')
  await theirs.expectTotal(count(people, (one) => isMan(one) && isMember(one)))
  await theirs.save.click()
  await expect(other.getByText('修改成功')).toBeVisible()

  await page.getByRole('tab', { name: '事件标签' }).click()
  await mine.drag(mine.tag('做过支付'), mine.newRule, '新建一条规则')
  await mine.expectTotal(count(people, (one) => isMan(one) && paid(one)))
  await mine.save.click()
  const dialog = page.getByRole('dialog', { name: '此人群已被他人修改' })
  await expect(dialog.getByRole('alert')).toContainText('林同事')
  await expect(dialog.getByText('「男」并且「是」的人。')).toBeVisible()
  await expect(dialog.getByText('「男」并且「做过支付」的人。')).toBeVisible()
  await expect(dialog.getByText(`${grouped(count(people, (one) => isMan(one) && isMember(one)))} 人`)).toBeVisible()
  await expectAccessible(page)
  await expect(dialog.getByRole('button', { name: '查看对方的版本' })).toHaveClass(/ant-btn-primary/)
  await expect(dialog.getByRole('button', { name: '覆盖保存' })).not.toHaveClass(/ant-btn-primary/)

  await dialog.getByRole('button', { name: '查看对方的版本' }).click()
  await expect(mine.words).toHaveText('「男」并且「是」的人。')
  await mine.undo.click()
  await expect(mine.words).toHaveText('「男」并且「做过支付」的人。')
  await mine.save.click()
  await expect(page.getByText('修改成功')).toBeVisible()
  await expect(crowdRow(page, name)).toContainText('已完成', { timeout: 30_000 })
  await expect(crowdRow(page, name)).toContainText(grouped(count(people, (one) => isMan(one) && paid(one))))
})

test('a changed rule tells who would enter and leave, and what uses the crowd', async ({ page, admin }) => {
  const id = await aCrowd(admin, { name: `改动前${SUFFIX}`, adv_id, uses: { id: tagOf('男'), tag_type: 1 } })
  const user = `依赖它的${SUFFIX}`
  await aCrowd(admin, { name: user, adv_id, uses: { id, tag_type: 3 } })
  const editor = editorOf(page)
  await page.goto(`${LIST}/edit/${id}`)
  await editor.expectTotal(count(people, isMan))
  await expect(page.locator('[data-difference]')).toHaveCount(0)
  await editor.drag(editor.tag('是'), editor.rule(1), '加入此规则，取交集')
  const left = count(people, (one) => isMan(one) && !isMember(one))
  await expect(page.locator('[data-difference]')).toHaveText(`保存后进入 0 人，离开 ${grouped(left)} 人`)
  await page.getByRole('button', { name: '1 个人群、定向包或计划在使用' }).click()
  await expect(page.getByRole('tooltip').getByRole('link', { name: user })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await editor.undo.click()
  await expect(page.locator('[data-difference]')).toHaveCount(0)
})

test('leaving unsaved work asks first, and a reload keeps it', async ({ page }) => {
  const editor = editorOf(page)
  await page.goto(newCrowd)
  await editor.tag('男').click()
  await editor.name.fill('还没写完')
  await editor.expectTotal(count(people, isMan))

  await page.getByRole('menuitem', { name: '标签管理' }).click()
  const question = page.getByRole('dialog').filter({ hasText: '有未保存的修改，确定离开吗' })
  await expect(question).toBeVisible()
  await question.getByRole('button', { name: '继续编辑' }).click()
  await expect(editor.name).toHaveValue('还没写完')

  page.once('dialog', (browsersOwn) => void browsersOwn.accept())
  await page.reload()
  await expect(page.getByText('已恢复上次未保存的修改')).toBeVisible()
  await expect(editor.name).toHaveValue('还没写完')
  await editor.expectTotal(count(people, isMan))

  await page.getByRole('button', { name: '取消', exact: true }).click()
  await question.getByRole('button', { name: '放弃修改' }).click()
  await expect(page).toHaveURL(/\/cowd-assets(\?|$)/)
  await page.goto(newCrowd)
  await expect(editor.tag('男')).toBeVisible()
  await expect(editor.name).toHaveValue('')
})

test('a history crowd is added as a rule, or replaces the canvas; the workbench can clear it', async ({ page }) => {
  test.slow()
  const editor = editorOf(page)
  const name = `历史会员${SUFFIX}`
  await aCrowd(page, { name, adv_id, uses: { id: tagOf('是'), tag_type: 1 } })
  const refusals = {
    replaces: '存在其他标签，无法替换！请先删除其他标签',
    holds: '已存在历史人群，不允许再拖入其他标签或人群',
  }
  await page.goto(newCrowd)
  await expect(editor.tag('男')).toBeVisible()
  await expect(page.getByRole('button', { name: '清空' })).toHaveCount(0)
  await page.getByRole('tab', { name: '历史人群' }).click()
  await expect(editor.tag(name)).toBeVisible()

  await page.goto(`${newCrowd}?entry=workbench`)
  await page.getByRole('tab', { name: '历史人群' }).click()
  await editor.drag(editor.tag(name), editor.rule(1), '设为历史人群')
  await editor.expectTotal(count(people, isMember))
  await expect(editor.rule(1).getByText('历史人群', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /^规则 1 内各标签的关系/ })).toHaveCount(0)
  await expectAccessible(page)

  await page.getByRole('tab', { name: '属性标签' }).click()
  await editor.drag(editor.tag('男'), editor.rule(1), refusals.holds)
  await expect(page.locator('.ant-message').getByText(refusals.holds)).toBeVisible()
  await editor.expectTotal(count(people, isMember))

  await editor.drag(editor.tag('男'), editor.newRule, '新建一条规则，与以上取交集')
  await editor.expectTotal(count(people, (one) => isMember(one) && isMan(one)))
  await page.getByRole('tab', { name: '历史人群' }).click()
  await editor.drag(editor.tag(name), editor.rule(2), refusals.replaces)
  await expect(page.locator('.ant-message').getByText(refusals.replaces)).toBeVisible()

  await page.getByRole('button', { name: '清空' }).click()
  await expect(editor.rule(1)).toHaveAccessibleName('规则 1，空')
  await editor.undo.click()
  await editor.expectTotal(count(people, (one) => isMember(one) && isMan(one)))

  await editor.tag(name).getByText('载入').click()
  const question = page.getByRole('dialog').filter({ hasText: `载入「${name}」的规则` })
  await expect(question).toContainText('画布上现有的规则将被它覆盖')
  await question.getByRole('button', { name: '载入' }).click()
  await expect(editor.words).toHaveText('「是」的人。')
  await editor.expectTotal(count(people, isMember))
  await expect(page.getByRole('button', { name: /^规则 1 内各标签的关系/ })).toBeVisible()
})

test('a crowd’s page is read-only; an unknown crowd says so', async ({ page }) => {
  const editor = editorOf(page)
  const name = `查看的人群${SUFFIX}`
  const id = await aCrowd(page, { name, adv_id, uses: { id: tagOf('一线'), tag_type: 1 } })
  await page.goto(`${LIST}/watch/${id}`)
  await editor.expectTotal(count(people, (one) => one.城市级别 === '一线'))
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText('已完成')).toBeVisible()
  await expect(page.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d，用时 /)).toBeVisible()
  await expect(page.getByRole('button', { name: /移除|添加规则|删除规则|保存/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^规则 1 内各标签的关系/ })).toBeDisabled()
  await expect(page.getByRole('tab', { name: '事件标签' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: '返回' }).click()
  await expect(page).toHaveURL(/\/cowd-assets(\?|$)/)

  for (const place of ['watch/999999', 'edit/999999', 'watch/abc', 'watch/0', 'edit/99999999999']) {
    await page.goto(`${LIST}/${place}`)
    await expect(page.getByText('没有这个人群')).toBeVisible()
  }
})
