import type { Locator, Page } from '@playwright/test'

/** The fields of an editor of packages as a user finds them. */
export const radios = (page: Page, name: string): Locator => page.getByRole('radiogroup', { name, exact: true })
export const boxes = (page: Page, name: string): Locator => page.getByRole('group', { name, exact: true })
export const chosenOf = (page: Page, title: string): Locator => page.getByRole('region', { name: title, exact: true })

export const choose = (page: Page, group: string, option: string): Promise<void> =>
  radios(page, group).getByRole('radio', { name: option, exact: true }).check()
export const tick = (page: Page, group: string, option: string, isOn = true): Promise<void> =>
  boxes(page, group).getByRole('checkbox', { name: option, exact: true }).setChecked(isOn)
export const openTab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name }).click()
export const save = (page: Page): Promise<void> => page.getByRole('button', { name: '确定', exact: true }).click()

/** Chooses an option of a list that opens below its field. */
export async function pick(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.locator('.ant-select-item-option:visible').getByText(option, { exact: true }).click()
}

/** The first box of a tree that is not ticked. */
export const freeBox = (page: Page, tree: string): Locator =>
  page
    .getByRole('tree', { name: tree, exact: true })
    .locator('.ant-tree-checkbox:not(.ant-tree-checkbox-checked)')
    .first()
