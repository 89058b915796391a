import { expect, type Page } from './test.ts'

/** Turns from the categories of behaviour or interest to their keywords, and chooses the first that the platform finds. */
export async function chooseKeyword(page: Page, of: '行为' | '兴趣', word: string): Promise<void> {
  const chosen = page.getByRole('region', { name: `已选${of}` })
  await page
    .getByRole('radiogroup', { name: `${of}的种类` })
    .getByText('关键词', { exact: true })
    .click()
  await page.getByLabel(`搜索${of}关键词`).fill(word)
  await page
    .getByRole('list', { name: `${of}关键词` })
    .getByRole('checkbox')
    .first()
    .check()
  await expect(chosen).toContainText('2/350')
}
