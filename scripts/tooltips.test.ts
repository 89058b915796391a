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
