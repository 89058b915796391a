import { expect, type Page } from '@playwright/test'
import { outcome } from '#contract/outcome.ts'

const name = (page: Page) => page.getByLabel('名称', { exact: true })
const refused = (text: string) => outcome('input_refused', { text })

/** What is wrong above the tabs, by clicks; the package was saved under the name that is given to `undo`. */
export const BASE_CLICKS = [
  {
    title: 'no name',
    reason: refused('请输入定向包名称'),
    act: (page: Page) => name(page).fill(''),
    undo: (page: Page, saved: string) => name(page).fill(saved),
  },
  {
    title: 'a name that is too long',
    reason: refused('名称长度在 1 到 30 个字符'),
    act: (page: Page) => name(page).fill('长'.repeat(31)),
    undo: (page: Page, saved: string) => name(page).fill(saved),
  },
  {
    title: 'a name with other signs',
    reason: refused('名称只支持中英文，数字，横杠，下划线'),
    act: (page: Page) => name(page).fill('老 客'),
    undo: (page: Page, saved: string) => name(page).fill(saved),
  },
  {
    title: 'no last day',
    reason: outcome('targeting_expiry_missing', {}),
    act: (page: Page) => page.getByRole('checkbox', { name: '长期有效' }).uncheck(),
    undo: (page: Page) => page.getByRole('checkbox', { name: '长期有效' }).check(),
  },
]

/** What no control above the tabs leads to: what unsaved work of an earlier visit holds then, and that none does. */
export const BASE_KEPT = [
  {
    title: 'no folder',
    draft: { dir_id: null },
    reason: outcome('targeting_folder_missing', {}),
    async prevents(page: Page) {
      const folder = page.locator('.ant-form-item').filter({ has: page.getByLabel('存储路径') })
      await folder.hover()
      await expect(folder.locator('.ant-select-clear')).toHaveCount(0)
    },
  },
  {
    title: 'a last day that is past',
    draft: { invalid_time: 1_577_894_399 },
    reason: outcome('targeting_expiry_past', {}),
    async prevents(page: Page) {
      await page.getByRole('checkbox', { name: '长期有效' }).uncheck()
      await page.getByLabel('失效时间').fill('2020-01-01')
      await page.getByLabel('失效时间').press('Enter')
      await page.getByLabel('失效时间').blur()
      await expect(page.getByLabel('失效时间')).not.toHaveValue('2020-01-01')
      await page.getByRole('checkbox', { name: '长期有效' }).check()
    },
  },
  {
    title: 'no package type',
    draft: { form: { landing_type: null } },
    reason: outcome('targeting_type_missing', {}),
    // It is a fact of the package, in words.
    async prevents(page: Page) {
      await expect(page.getByText('定向包类型', { exact: true })).toBeVisible()
      await expect(page.getByRole('radiogroup', { name: '定向包类型' })).toHaveCount(0)
    },
  },
]

/** What the dialog of a new package says where nothing is filled in. Its folder is chosen from the start. */
export const DIALOG_MESSAGES = [
  { reason: refused('请输入定向包名称') },
  { reason: outcome('targeting_type_missing', {}) },
  { reason: outcome('targeting_advertiser_missing', {}) },
  { reason: outcome('targeting_expiry_missing', {}) },
]
