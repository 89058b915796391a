import { expect, type Locator, type Page } from '@playwright/test'
import { grouped } from './people.ts'

const OPERATORS = { 交: /^交/, 并: /^并/, 差: /^差/ } as const
export type Operator = keyof typeof OPERATORS

/** The rule editor's page as a user operates it. */
export function editorOf(page: Page) {
  const whole = page.getByRole('group', { name: /^全部规则，/ })
  const rule = (number: number) => page.getByRole('group', { name: new RegExp(`^规则 ${number}，`) })
  const chip = (name: string, within: Locator | Page = page) =>
    within.getByRole('group', { name: new RegExp(`^标签 ${name}，`) })
  const tag = (name: string) => page.getByRole('treeitem').filter({ has: page.getByText(name, { exact: true }) })

  async function chooseOperator(label: string, op: Operator) {
    await page.getByRole('button', { name: new RegExp(`^${label}：`) }).click()
    await page.getByRole('menuitem', { name: OPERATORS[op] }).click()
  }

  /** Below the rules: adds one, joined by the operator. */
  const newRule = (op: Operator) =>
    page.getByRole('group', { name: '添加规则' }).getByRole('button').filter({ hasText: OPERATORS[op] })

  /** Drags something over a target without dropping it, so that the hint can be read. */
  async function hold(what: Locator, over: Locator) {
    await what.scrollIntoViewIfNeeded()
    const from = await centre(what)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x + 8, from.y + 8, { steps: 4 })
    const to = await centre(over)
    await page.mouse.move(to.x, to.y, { steps: 8 })
  }

  return {
    whole,
    rule,
    chip,
    tag,
    newRule: newRule('交'),
    newRuleBy: newRule,
    total: page.locator('[data-total]'),
    words: page.getByRole('region', { name: '规则说明' }),
    name: page.getByLabel('名称', { exact: true }),
    search: page.getByRole('textbox', { name: '搜索标签与历史人群' }),
    save: page.getByRole('button', { name: '保存', exact: true }),
    undo: page.getByRole('button', { name: '撤销', exact: true }),
    redo: page.getByRole('button', { name: '重做', exact: true }),
    hold,
    /** Drags with the mouse and drops once the target shows `hint`. */
    async drag(what: Locator, over: Locator, hint: string | RegExp) {
      await hold(what, over)
      await expect(over.getByText(hint)).toBeVisible()
      await page.mouse.up()
    },
    setOperator: (number: number, op: Operator) => chooseOperator(`规则 ${number} 内各标签的关系`, op),
    setJoin: (number: number, op: Operator) => chooseOperator(`规则 ${number} 与前面的关系`, op),
    async expectRule(number: number, people: number) {
      await expect(rule(number)).toHaveAccessibleName(`规则 ${number}，${grouped(people)} 人`)
    },
    async expectTotal(people: number) {
      await expect(page.locator('[data-total]')).toHaveText(`${grouped(people)}人`)
    },
    async setExpiry(day: string) {
      const field = page.getByLabel('失效时间')
      await field.fill(day)
      await field.press('Enter')
    },
  }
}

async function centre(what: Locator) {
  const box = await what.boundingBox()
  if (!box) throw new Error(`not on the page: ${what}`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** The day `days` days from now, as date fields write it. */
export const dayAhead = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' })
