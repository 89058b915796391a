import { expect, test } from 'vitest'
import { trayLabel } from './tray-label.ts'

test('the label names what runs, what failed and what is paused', () => {
  expect(trayLabel({ running: 2, failed: 1, paused: 1 })).toBe('任务：2 个进行中，1 个失败，1 个已暂停')
  expect(trayLabel({ running: 0, failed: 0, paused: 1 })).toBe('任务：1 个已暂停')
  expect(trayLabel({ running: 0, failed: 0, paused: 0 })).toBe('任务')
})
