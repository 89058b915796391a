import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { outcome } from '#contract/outcome.ts'
import type { CallError } from '../../lib/call.ts'
import { PreviewFailed } from './PreviewFailed.tsx'

test('why a file cannot be read is said once', () => {
  const cause = outcome('file_column_repeated', { name: '性别' })
  const failed = outcome('fault', { fault: 'importUnreadable', words: {}, cause })
  const error = { message: '文件无法读取：列名「性别」重复', code: 101, outcome: failed } as unknown as CallError
  const shown = renderToStaticMarkup(<PreviewFailed error={error} onRetry={() => {}} onOtherFile={() => {}} />)
  expect(shown).toContain('无法读取这个文件')
  expect(shown).toContain('列名「性别」重复')
  expect(shown).not.toContain('文件无法读取')
})
