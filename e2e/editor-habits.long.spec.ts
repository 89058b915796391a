import { expectAccessible } from './axe.ts'
import { aCrowd, crowdRow, selectAdvertiser } from './crowds.ts'
import { editorOf } from './editor-page.ts'
import { count, type Person, somePeople } from './people.ts'
import { anAdvertiserOf } from './population.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'

const people = somePeople(840)
const isMan = (one: Person) => one.性别 === '男'
const isMember = (one: Person) => one.会员 === '是'
const isFirstTier = (one: Person) => one.城市级别 === '一线'
const newCrowd = '/cowd-manage/cowd-assets/edit/0'

let adv_id = 0
let tagOf: (name: string) => number

test.beforeAll(async ({ admin }) => {
  ;({ adv_id, tagOf } = await anAdvertiserOf(admin, `编辑习惯${SUFFIX}`, people))
})

test.beforeEach(async ({ page }) => {
  await selectAdvertiser(page, adv_id)
})

/** 男 并 是 减 一线, made with the choices of 添加规则. */
async function threeRules(page: Page) {
  const editor = editorOf(page)
  await page.goto(newCrowd)
  await editor.tag('男').click()
  await editor.newRuleBy('并').click()
  await editor.tag('是').click()
  await page.getByRole('button', { name: '添加规则' }).first().click()
  await page.getByRole('menuitem', { name: /^差/ }).click()
  await editor.tag('一线').click()
  await editor.expectTotal(count(people, (one) => (isMan(one) || isMember(one)) && !isFirstTier(one)))
  return editor
}

test('a rule is added with its operator at once, also by dropping a tag', async ({ page }) => {
  const editor = await threeRules(page)
  await expect(editor.words).toHaveText('「男」或者「是」的人，去掉「一线」的人。')
  await editor.drag(editor.tag('女'), editor.newRuleBy('差'), '新建一条规则，从以上去掉')
  await editor.expectTotal(
    count(people, (one) => (isMan(one) || isMember(one)) && !isFirstTier(one) && one.性别 !== '女'),
  )
  await editor.undo.click()
  await editor.expectTotal(count(people, (one) => (isMan(one) || isMember(one)) && !isFirstTier(one)))
  await expectAccessible(page)
})

test('a box is dragged before or after another, or moved by the keyboard', async ({ page }) => {
  const editor = await threeRules(page)
  const grip = (number: number) => page.getByRole('button', { name: `移动规则 ${number}`, exact: true })
  const dragTo = async (number: number, x: number, over: number, words: string) => {
    await editor.hold(grip(number), editor.rule(over))
    const box = await editor.rule(over).boundingBox()
    if (!box) throw new Error('the rule is not on the page')
    await page.mouse.move(box.x + box.width * x, box.y + box.height / 2, { steps: 6 })
    await expect(page.getByText(words)).toBeVisible()
    await page.mouse.up()
  }
  await test.step('into another box, whose operator it takes', async () => {
    await dragTo(3, 0.2, 2, '移到规则 2 之前（并）')
    await expect(editor.words).toHaveText('「男」或者「一线」或者「是」的人。')
    await editor.expectTotal(count(people, (one) => isMan(one) || isMember(one) || isFirstTier(one)))
  })
  await test.step('one undo returns it; a box dropped nowhere stays', async () => {
    await editor.undo.click()
    await expect(editor.words).toHaveText('「男」或者「是」的人，去掉「一线」的人。')
    await editor.hold(grip(3), page.getByLabel('名称', { exact: true }))
    await page.mouse.up()
    await expect(editor.words).toHaveText('「男」或者「是」的人，去掉「一线」的人。')
  })
  await test.step('the first of a difference is exchanged by keyboard', async () => {
    await editor.rule(3).click({ position: { x: 4, y: 30 } })
    await page.keyboard.press('Shift+ArrowLeft')
    await expect(editor.rule(1)).toBeFocused()
    await editor.expectTotal(count(people, (one) => isFirstTier(one) && !isMan(one) && !isMember(one)))
    await page.keyboard.press('Shift+ArrowDown')
    await expect(editor.words).toHaveText('「一线」或者「男」或者「是」的人。')
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await expect(editor.words).toHaveText('「男」或者「是」的人，去掉「一线」的人。')
  })
})

test('one search finds attribute tags, event tags and history crowds, by characters and pinyin', async ({ page }) => {
  const editor = editorOf(page)
  const name = `支付会员${SUFFIX}`
  await aCrowd(page, { name, adv_id, uses: { id: tagOf('是'), tag_type: 1 } })
  await page.goto(newCrowd)
  await expect(editor.tag('男')).toBeVisible()
  const results = page.getByRole('tree', { name: '搜索结果' })

  await editor.search.fill('zhifu')
  await expect(editor.tag('做过支付')).toHaveCount(0)
  await expect(results.getByRole('treeitem').filter({ hasText: '做过支付' })).toBeVisible()
  await expect(results.getByRole('treeitem').filter({ hasText: name })).toBeVisible()
  await expect(results.getByRole('treeitem').filter({ hasText: name }).locator('mark')).toHaveText('支付')
  await expect(results.getByRole('button', { name: '载入' })).toHaveCount(1)
  await expectAccessible(page)
  await editor.search.fill('yx')
  await expect(results.getByRole('treeitem').filter({ hasText: '一线' }).first()).toBeVisible()
  await editor.search.fill('会员')
  await expect(results.getByRole('treeitem').filter({ hasText: name })).toBeVisible()

  await editor.search.press('ArrowDown')
  await expect(results).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(editor.words).toHaveText(`「${name}」的人。`)
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowUp')
  await expect(editor.search).toBeFocused()

  await editor.search.fill('没有这样的')
  await expect(page.getByText('没有匹配「没有这样的」的标签或历史人群')).toBeVisible()
  await page.getByRole('button', { name: '清空搜索' }).click()
  await expect(editor.search).toBeFocused()
  await expect(editor.tag('男')).toBeVisible()
})

test('on hover a tag, a chip and a history crowd tell their definition, count and time', async ({ page }) => {
  const editor = editorOf(page)
  const name = `说明人群${SUFFIX}`
  await aCrowd(page, { name, adv_id, uses: { id: tagOf('一线'), tag_type: 1 } })
  await page.goto(newCrowd)
  const tip = page.getByRole('tooltip')
  await editor.tag('男').hover()
  await expect(tip).toContainText('性别等于「男」')
  await expect(tip).toContainText(new RegExp(`${count(people, isMan)} 人 截至 `))
  await editor.tag('男').click()
  await editor.expectTotal(count(people, isMan))
  await page.mouse.move(0, 0)
  await expect(tip).toBeHidden()
  await editor.chip('男').hover()
  await expect(tip.last()).toContainText('性别等于「男」')
  await page.mouse.move(0, 0)
  await page.getByRole('tab', { name: '历史人群' }).click()
  await editor.tag(name).hover()
  await expect(page.getByRole('tooltip').filter({ hasText: '「一线」的人。' })).toBeVisible()
})

test('the buttons of a rule’s boxes tell on hover what they do', async ({ page }) => {
  const editor = editorOf(page)
  await page.goto(newCrowd)
  await editor.tag('男').click()
  await editor.newRuleBy('并').click()
  const tip = page.getByRole('tooltip')
  await page.getByRole('button', { name: '删除规则 1' }).hover()
  await expect(tip).toHaveText('删除这条规则')
  await page.mouse.move(0, 0)
  await expect(tip).toBeHidden()
})

test('另存为 makes another crowd of what the editor shows; the opened one stays', async ({ page }) => {
  const editor = editorOf(page)
  const name = `原人群${SUFFIX}`
  const copy = `另存人群${SUFFIX}`
  const id = await aCrowd(page, { name, adv_id, uses: { id: tagOf('男'), tag_type: 1 } })
  await page.goto(newCrowd)
  await expect(editor.tag('男')).toBeVisible()
  await expect(page.getByRole('button', { name: '另存为' })).toHaveCount(0)

  await page.goto(`/cowd-manage/cowd-assets/edit/${id}`)
  await editor.tag('是').click()
  await editor.expectTotal(count(people, (one) => isMan(one) && isMember(one)))
  await page.getByRole('button', { name: '另存为' }).click()
  const dialog = page.getByRole('dialog', { name: '另存为' })
  await expect(dialog.getByLabel('名称')).toHaveValue(`${name}-副本`)
  await dialog.getByLabel('名称').fill(name)
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(dialog.getByText('同级目录下不允许重名')).toBeVisible()
  await dialog.getByLabel('名称').fill(copy)
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(page.getByText(`已另存为「${copy}」`)).toBeVisible()
  await expect(page).toHaveURL(/\/cowd-assets(\?|$)/)
  await expect(crowdRow(page, copy)).toContainText('已完成', { timeout: 30_000 })
  await expect(crowdRow(page, copy)).toContainText(String(count(people, (one) => isMan(one) && isMember(one))))
  await expect(crowdRow(page, name)).toContainText(String(count(people, isMan)))
})

test('a crowd’s page has its name as title and the actions of its row', async ({ page }) => {
  const name = `有操作人群${SUFFIX}`
  const id = await aCrowd(page, { name, adv_id, uses: { id: tagOf('一线'), tag_type: 1 } })
  const watch = `/cowd-manage/cowd-assets/watch/${id}`
  await page.goto(watch)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(name))
  await expect(page.getByRole('navigation', { name: '面包屑' })).toContainText('查看定向包')

  await page.getByRole('button', { name: '复制' }).click()
  await expect(page.getByText('复制成功')).toBeVisible()
  await page.getByRole('button', { name: '推送至' }).click()
  await expect(page.getByRole('dialog', { name: `推送「${name}」` })).toBeVisible()
  await page.keyboard.press('Escape')
  const more = page.getByRole('button', { name: `「${name}」的更多操作` })
  await more.click()
  await page.getByRole('menuitem', { name: '移动到' }).click()
  await expect(page.getByRole('dialog', { name: `移动「${name}」` })).toBeVisible()
  await page.keyboard.press('Escape')
  await expectAccessible(page)

  await page.getByRole('button', { name: '编辑', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/edit/${id}`))
  await page.goto(watch)
  await more.click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
  await expect(page.getByText('删除成功')).toBeVisible()
  await expect(page).toHaveURL(/\/cowd-assets(\?|$)/)
  await page.goto(watch)
  await expect(page.getByText('没有这个人群')).toBeVisible()
})
