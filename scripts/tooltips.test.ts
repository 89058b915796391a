import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './run.ts'

test('only one place says how long a tooltip waits: 600 ms', () => {
  const files = globSync('web/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['**/node_modules/**'] })
  const saying = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('mouseEnterDelay'))
  expect(saying).toEqual(['web/app/providers.tsx'])
  expect(readFileSync(join(ROOT, 'web/lib/tooltip-delay.ts'), 'utf8')).toContain('TOOLTIP_DELAY_MS = 600\n')
})

test('no element has a tooltip of the browser’s own', () => {
  const files = globSync('web/**/*.tsx', { cwd: ROOT, exclude: ['**/node_modules/**'] })
  const native = files.filter((file) =>
    /<(?:span|div|td|p|li|a|button|Typography\.\w+)\b[^<>]*?\stitle=/.test(readFileSync(join(ROOT, file), 'utf8')),
  )
  expect(native).toEqual([])
})
