import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './run.ts'

test('only the theme says how long a tooltip waits: 600 ms', () => {
  const files = globSync('web/**/*.tsx', { cwd: ROOT, exclude: ['**/node_modules/**'] })
  const saying = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('mouseEnterDelay'))
  expect(saying).toEqual(['web/app/providers.tsx'])
  expect(readFileSync(join(ROOT, 'web/app/providers.tsx'), 'utf8')).toContain('mouseEnterDelay: 0.6,')
})

/** Tables and boxes with hundreds of parts, where a tooltip each would be slow. */
const LEFT_TO_THE_BROWSER = [
  'web/features/import/ColumnTable.tsx',
  'web/features/rule-editor/canvas/BoxGrip.tsx',
  'web/features/rule-editor/canvas/GroupBoxView.tsx',
  'web/features/rule-editor/canvas/LeafBoxView.tsx',
  'web/features/rule-editor/tag-panel/TagLines.tsx',
]

test('no other element has a tooltip of the browser’s own', () => {
  const files = globSync('web/**/*.tsx', { cwd: ROOT, exclude: ['**/node_modules/**'] })
  const native = files.filter((file) =>
    /<(?:span|div|td|p|li|a|button|Typography\.\w+)\b[^<>]*?\stitle=/.test(readFileSync(join(ROOT, file), 'utf8')),
  )
  expect(native.sort()).toEqual(LEFT_TO_THE_BROWSER)
})
