import { expectAccessible } from './axe.ts'
import { crowdRow } from './crowds.ts'
import { dayAhead, editorOf } from './editor-page.ts'
import {
  chooseKind,
  closeReport,
  DATA_ACCESS,
  dropFile,
  makeAdvertiser,
  mapColumn,
  reportOf,
  runImport,
} from './import-page.ts'
import { count, eventsCsv, grouped, type Person, somePeople, usersCsv } from './people.ts'
import { expect, SUFFIX, test } from './test.ts'

const ADVERTISER = `人群旅程${SUFFIX}`
const CROWD = `双11高价值男性${SUFFIX}`
const people = somePeople(1_260)
const isMan = (one: Person) => one.性别 === '男'
const isFirstTier = (one: Person) => one.城市级别 === '一线'
const isMember = (one: Person) => one.会员 === '是'

test('two files are imported, and a rule crowd is built with the mouse', async ({ page }) => {
  test.slow()
  await test.step('users are imported from a file, and the report is closed', async () => {
    await page.goto(DATA_ACCESS)
    await dropFile(page, { name: 'users.csv', content: usersCsv(people) })
    await expect(page.getByText('共 4 列，预览前 50 行')).toBeVisible()
    await makeAdvertiser(page, ADVERTISER)
    await mapColumn(page, '用户', '用户 ID')
    const drawer = await runImport(page)
    await expect(reportOf(drawer)).toHaveAccessibleName(`已存入 ${grouped(1_260)} 行，重复 0 行，被拒绝 0 行`)
    await expect(drawer.getByText(`新增 ${grouped(1_260)} 人`)).toBeVisible()
    await expectAccessible(page)
    await closeReport(page, drawer)
    await expect(page.getByRole('banner')).toContainText(ADVERTISER)
  })

  await test.step('events are imported from another file', async () => {
    const content = eventsCsv(people)
    await dropFile(page, { name: 'events.csv', content })
    await chooseKind(page, '事件')
    await expect(page.getByText('请指定哪一列是用户 ID')).toBeVisible()
    await mapColumn(page, '用户', '用户 ID')
    await expectAccessible(page)
    const drawer = await runImport(page)
    const rows = content.split('\n').length - 1
    await expect(reportOf(drawer)).toHaveAccessibleName(`已存入 ${grouped(rows)} 行，重复 0 行，被拒绝 0 行`)
    await closeReport(page, drawer)
  })

  const editor = editorOf(page)
  await test.step('the editor of a new crowd shows the tags of the files', async () => {
    await page.getByRole('menuitem', { name: '人群资产' }).click()
    // The empty list has this button too.
    await page.getByRole('button', { name: '新建组合定向包' }).first().click()
    await expect(editor.tag('男')).toContainText(grouped(count(people, isMan)))
    await expect(editor.tag('一线')).toContainText(grouped(count(people, isFirstTier)))
    await expectAccessible(page)
  })

  await test.step('tags are dragged into a rule, and its operator changes its count', async () => {
    await editor.drag(editor.tag('男'), editor.rule(1), '加入此规则')
    await editor.expectRule(1, count(people, isMan))
    await expect(editor.tag('男')).toContainText('已用')
    await editor.drag(editor.tag('一线'), editor.rule(1), '加入此规则，取交集')
    await editor.expectRule(
      1,
      count(people, (one) => isMan(one) && isFirstTier(one)),
    )
    await editor.setOperator(1, '差')
    await editor.expectRule(
      1,
      count(people, (one) => isMan(one) && !isFirstTier(one)),
    )
    await editor.setOperator(1, '并')
    await editor.expectRule(
      1,
      count(people, (one) => isMan(one) || isFirstTier(one)),
    )
    await expect(editor.words).toHaveText('「男」或者「一线」的人。')
  })

  await test.step('a tag that the rule already has changes nothing, and the hint says so', async () => {
    await editor.hold(editor.tag('男'), editor.rule(1))
    await expect(editor.rule(1).getByText('已在此规则中')).toBeVisible()
    await page.mouse.up()
    await expect(page.getByText('「男」已在此规则中')).toBeVisible()
  })

  const first = (one: Person) => isMan(one) || isFirstTier(one)
  await test.step('an added rule wraps the existing one; while it is empty the count is 0, and saving is refused', async () => {
    await page.getByRole('button', { name: '添加规则' }).first().click()
    await page.getByRole('menuitem', { name: /^交/ }).click()
    await editor.expectTotal(0)
    await editor.expectRule(1, count(people, first))
    await expect(editor.rule(2)).toHaveAccessibleName('规则 2，空')
    await editor.save.click()
    await expect(page.getByText('人群标签不能为空', { exact: true })).toBeVisible()
    await expect(page.getByText('请输入定向包名称')).toBeVisible()
    await expect(page.getByText('人群标签不能为空，请加入标签或删除这条规则')).toBeVisible()
  })

  await test.step('event tags fill it, and dropping below makes a third rule', async () => {
    await page.getByRole('tab', { name: '事件标签' }).click()
    await editor.drag(editor.tag('做过支付'), editor.rule(2), '加入此规则')
    await editor.expectTotal(count(people, (one) => first(one) && one.支付 > 0))
    await editor.drag(editor.tag('做过退款'), editor.newRule, '新建一条规则，与以上取交集')
    await editor.expectTotal(count(people, (one) => first(one) && one.支付 > 0 && one.退款 > 0))
    await editor.setJoin(3, '差')
    await editor.expectTotal(count(people, (one) => first(one) && one.支付 > 0 && !one.退款))
    await editor.expectRule(1, count(people, first))
    await editor.expectRule(
      2,
      count(people, (one) => one.支付 > 0),
    )
    await editor.expectRule(
      3,
      count(people, (one) => one.退款 > 0),
    )
    await expect(page.getByRole('group', { name: /^规则 1 到 2，/ })).toHaveAccessibleName(
      `规则 1 到 2，交，${grouped(count(people, (one) => first(one) && one.支付 > 0))} 人`,
    )
  })

  await test.step('deleting a rule puts its sibling in its place, and can be undone', async () => {
    const before = await editor.words.textContent()
    await page.getByRole('button', { name: '删除规则 2' }).click()
    await editor.expectTotal(count(people, (one) => first(one) && !one.退款))
    await expect(editor.rule(3)).toHaveCount(0)
    await editor.undo.click()
    await expect(editor.words).toHaveText(before ?? '')
    await editor.expectTotal(count(people, (one) => first(one) && one.支付 > 0 && !one.退款))
    await editor.redo.click()
    await editor.expectTotal(count(people, (one) => first(one) && !one.退款))
    await page.keyboard.press('Control+z')
    await expect(editor.rule(3)).toBeVisible()
  })

  await test.step('a tag moves from one rule to another', async () => {
    await editor.drag(editor.chip('一线'), editor.rule(2), '移到此规则')
    await expect(editor.chip('一线', editor.rule(2))).toBeVisible()
    await editor.expectRule(1, count(people, isMan))
    await editor.expectRule(
      2,
      count(people, (one) => one.支付 > 0 && isFirstTier(one)),
    )
    await page.getByRole('button', { name: '移除 一线' }).click()
    await page.getByRole('tab', { name: '属性标签' }).click()
    await editor.drag(editor.tag('是'), editor.rule(1), '加入此规则')
    await editor.expectRule(
      1,
      count(people, (one) => isMan(one) || isMember(one)),
    )
    await expectAccessible(page)
  })

  const expected = count(people, (one) => (isMan(one) || isMember(one)) && one.支付 > 0 && !one.退款)
  await test.step('saving refuses an invalid form', async () => {
    await editor.expectTotal(expected)
    await editor.name.fill('双11 高价值!')
    await editor.save.click()
    await expect(page.getByText('名称只支持中英文，数字，横杠，下划线').first()).toBeVisible()
    await editor.name.fill(CROWD)
    await editor.setExpiry(dayAhead(-1))
    await expect(page.getByText('请选择失效时间').first()).toBeVisible()
    await editor.setExpiry(dayAhead(30))
  })

  await test.step('the saved crowd is computed to the exact number, and the view page shows the same', async () => {
    await editor.save.click()
    await expect(page.getByText('提交成功')).toBeVisible()
    await expect(page).toHaveURL(/\/cowd-manage\/cowd-assets\?/)
    await expect(crowdRow(page, CROWD)).toContainText('已完成', { timeout: 30_000 })
    await expect(crowdRow(page, CROWD)).toContainText(grouped(expected))
    await expectAccessible(page)
    await page.getByRole('link', { name: CROWD }).click()
    await expect(page.getByRole('heading', { level: 1, name: CROWD })).toBeVisible()
    await editor.expectTotal(expected)
    await editor.expectRule(
      1,
      count(people, (one) => isMan(one) || isMember(one)),
    )
    await expect(page.getByRole('button', { name: /^删除规则/ })).toHaveCount(0)
    await expect(editor.save).toHaveCount(0)
    await expectAccessible(page)
  })
})
