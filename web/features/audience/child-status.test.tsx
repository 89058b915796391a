import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { CustomChild } from '#contract/audience.ts'
import type { PushState } from '#contract/push-status.ts'
import { ChildStatus } from './ChildStatus.tsx'

const shown = (status: CustomChild['status'], state: PushState) => {
  const child = { status, push: null, last_push: { state, next_at: null }, reason: null, reason_outcome: null }
  const on = { retry: () => {}, cancel: () => {}, push: () => {}, pushElsewhere: () => {} }
  return renderToStaticMarkup(<ChildStatus child={child as unknown as CustomChild} on={on} />)
}

test('an audience whose first push was cancelled has not failed', () => {
  expect(shown('failed', 'cancelled')).toContain('推送已取消')
  expect(shown('failed', 'cancelled')).not.toContain('计算失败')
  expect(shown('failed', 'failed')).toContain('计算失败')
  // What an earlier push brought can still be used.
  expect(shown('available', 'cancelled')).toContain('可用')
})
