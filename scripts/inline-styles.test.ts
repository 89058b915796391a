import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inlineStylesIn, inlineStylesInFile } from './inline-styles.ts'
import { ROOT } from './run.ts'

test('inline styles hold only computed values', () => {
  const files = globSync('web/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['**/node_modules/**'] })
  expect(files.length).toBeGreaterThan(200)
  const found = files.flatMap((file) => inlineStylesInFile(ROOT, file))
  expect(found.map(({ file, line, text }) => `${file}:${line}: ${text}`)).toEqual([])
})

test.each([
  `<div style={{ margin: 0 }} />`,
  `<div style={{ margin: -2 }} />`,
  `<div style={{ height: size, color: 'red' }} />`,
  `<div style={{ height: size, ...(isDim ? { opacity: 0.5 } : {}) }} />`,
  `<div style={{ color: token.colorText }} />`,
  '<div style={{ border: `1px solid ${token.colorBorder}` }} />',
  '<div style={{ padding: `8px` }} />',
  `<Drawer styles={{ body: { padding: 0 } }} />`,
  `const columns = [{ onCell: () => ({ style: { maxWidth: 220 } }) }]`,
])('finds %s', (source) => {
  expect(inlineStylesIn('planted.tsx', source)).toHaveLength(1)
})

test.each([
  '<div style={{ width: `${share * 100}%` }} />',
  `<div style={{ height: TOP_BAR_HEIGHT, marginLeft: i % 4 ? 20 : 0 }} />`,
  `<div style={{ width }} />`,
  `<Skeleton title={{ width: 160 }} />`,
])('ignores %s', (source) => {
  expect(inlineStylesIn('planted.tsx', source)).toEqual([])
})
