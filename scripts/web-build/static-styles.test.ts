import { theme } from 'antd'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { antdStyles } from './antd-styles.ts'
import type { Declared } from './contract-parts.ts'
import { withoutStyles } from './static-styles.ts'

test('the styles of what is drawn first are the same in every theme', () => {
  const { css, components: made } = antdStyles()
  expect([...made]).toEqual(expect.arrayContaining(['Menu-Menu', 'Layout-Sider', 'Table-Table']))
  expect(css).toContain('.ant-menu')
  const components = { Menu: { itemHeight: 38 }, Table: { cellPaddingBlockSM: 5 } }
  expect(antdStyles({ algorithm: theme.darkAlgorithm }).css).toBe(css)
  expect(antdStyles({ token: { colorPrimary: '#1063e0', motion: false }, components }).css).toBe(css)
})

test('only the functions that make those styles are left out', () => {
  const code = `
    export const useMenu = genStyleHooks('Menu', (token) => [makeMenu(token)], prepareMenu, { unitless: {} })
    export const useSider = genStyleHooks(['Layout', 'Sider'], makeSider, prepareSider)
    export const useTabs = genStyleHooks('Tabs', (token) => [makeTabs(token)], prepareTabs)
  `
  const program = parseSync('style.js', code).program as unknown as Declared
  const { text, names } = withoutStyles(code, program, new Set(['Menu-Menu', 'Layout-Sider']))
  expect(names).toEqual(['Menu-Menu', 'Layout-Sider'])
  expect(text).toContain("genStyleHooks('Menu', () => [], prepareMenu, { unitless: {} })")
  expect(text).toContain("genStyleHooks(['Layout', 'Sider'], () => [], prepareSider)")
  expect(text).toContain("genStyleHooks('Tabs', (token) => [makeTabs(token)], prepareTabs)")
})
