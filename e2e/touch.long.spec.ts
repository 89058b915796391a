import { expectAccessible } from './axe.ts'
import { selectAdvertiser } from './crowds.ts'
import { editorOf } from './editor-page.ts'
import { count, type Person, somePeople } from './people.ts'
import { anAdvertiserOf } from './population.ts'
import { expect, SUFFIX, test } from './test.ts'

// A tablet in portrait, without reduced motion.
test.use({
  viewport: { width: 834, height: 1112 },
  hasTouch: true,
  contextOptions: { reducedMotion: 'no-preference' },
})

const people = somePeople(420)
const isMan = (one: Person) => one.性别 === '男'
const isMember = (one: Person) => one.会员 === '是'
const isFirstTier = (one: Person) => one.城市级别 === '一线'

let adv_id = 0
test.beforeAll(async ({ admin }) => {
  ;({ adv_id } = await anAdvertiserOf(admin, `触摸旅程${SUFFIX}`, people))
})

test('a rule is built by touch: a tap adds, a long press drags, a swipe scrolls', async ({ page, context }) => {
  await selectAdvertiser(page, adv_id)
  await page.goto('/cowd-manage/cowd-assets/edit/0')
  const editor = editorOf(page)
  await editor.tag('男').tap()
  await editor.expectRule(1, count(people, isMan))
  await editor.newRule.tap()
  await expect(editor.rule(2)).toHaveAccessibleName('规则 2，空')
  await editor.tag('是').tap()
  await editor.expectTotal(count(people, (one) => isMan(one) && isMember(one)))
  await page.getByRole('button', { name: /^规则 2 与前面的关系/ }).tap()
  await page.getByRole('menuitem', { name: /^差/ }).tap()
  await editor.expectTotal(count(people, (one) => isMan(one) && !isMember(one)))

  // Playwright supports only taps; long presses and moves use the browser's protocol.
  const cdp = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  await editor.tag('一线').scrollIntoViewIfNeeded()
  const from = await editor.tag('一线').boundingBox()
  const to = await editor.rule(1).boundingBox()
  if (!from || !to) throw new Error('the tag or the rule is not on the page')
  const start = { x: from.x + 60, y: from.y + from.height / 2 }
  const end = { x: to.x + to.width / 2, y: to.y + to.height / 2 }
  await touch('touchStart', [start])
  await page.waitForTimeout(400)
  for (const step of [0.2, 0.4, 0.6, 0.8, 1])
    await touch('touchMove', [{ x: start.x + (end.x - start.x) * step, y: start.y + (end.y - start.y) * step }])
  await expect(editor.rule(1).getByText('加入此规则，取交集')).toBeVisible()
  await touch('touchEnd', [])
  await editor.expectRule(
    1,
    count(people, (one) => isMan(one) && isFirstTier(one)),
  )
  await page.getByRole('button', { name: '移除 一线' }).tap()
  await editor.expectRule(1, count(people, isMan))
  await page.getByRole('button', { name: '删除规则 2' }).tap()
  await editor.expectTotal(count(people, isMan))
  await editor.undo.tap()
  await editor.expectTotal(count(people, (one) => isMan(one) && !isMember(one)))
  await expectAccessible(page)
  // The whole editor fits the screen's width.
  for (const button of [editor.save, editor.undo, page.getByRole('button', { name: '删除规则 2' })])
    await expect(button).toBeInViewport({ ratio: 1 })
})

test('a row’s menu button is visible without a mouse', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  await page.goto('/cowd-manage/tags')
  const more = page.getByRole('button', { name: '分类「性别」的操作' })
  await expect(more).toHaveCSS('opacity', '1')
  await more.tap()
  await page.getByRole('menuitem', { name: '编辑' }).tap()
  await expect(page.getByRole('dialog').getByLabel('分类名称')).toHaveValue('性别')
})
