import { expect, test } from 'vitest'
import { trayState } from './tray-state.ts'

test('paused tasks are counted apart from running ones, and seen failures are not counted again', () => {
  const tasks = [
    { id: 1, status: 'paused' },
    { id: 2, status: 'waiting' },
    { id: 3, status: 'running' },
    { id: 4, status: 'failed' },
    { id: 5, status: 'done' },
  ] as const
  expect(trayState(tasks, new Set())).toEqual({
    running: 2,
    failed: 1,
    paused: 1,
    label: '任务：2 个进行中，1 个失败，1 个已暂停',
  })
  expect(trayState([tasks[0], tasks[3]], new Set([4])).label).toBe('任务：1 个已暂停')
  expect(trayState([], new Set()).label).toBe('任务')
})
