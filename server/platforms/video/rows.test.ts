import { describe, expect, test } from 'vitest'
import { outcome } from '#contract/outcome.ts'
import { PlatformFault } from '../audience-platform.ts'
import { changeOf, SourceRow, videoState } from './rows.ts'

/** 2026-11-21 20:00 in China. */
const now = Date.UTC(2026, 10, 21, 12) / 1000
const delivery = (status: string) => `CUSTOM_AUDIENCE_DELIVERY_STATUS_${status}`
const log = (change_log_id: number, status: number, more = {}) => ({ change_log_id, action: 1, status, ...more })
const audience = (more: object) => ({
  custom_audience_id: '9007199254750003',
  status: 2,
  delivery_status: delivery('AVAILABLE'),
  push_status: 2,
  cover_num: 700,
  upload_num: 1000,
  ...more,
})
const source = (more: object) => SourceRow.parse({ data_source_id: 'd1', status: 2, change_logs: [log(1, 2)], ...more })
const state = (more: object) => videoState(source(more), now)

describe("a source's state", () => {
  test('is computing until its files are parsed; a failure has the message of its log', () => {
    expect(state({ status: 1, change_logs: [log(1, 1)] })).toMatchObject({ status: 'computing', pending: null })
    expect(state({ change_logs: [log(1, 3, { message: '第 1 行不是 base64' })] })).toMatchObject({
      status: 'failed',
      reason: outcome('platform_refused', { text: '第 1 行不是 base64' }),
    })
  })

  test('is waiting for publication after parsing, and then for the push', () => {
    const fresh = { lastest_published_change_log_id: -1 }
    expect(
      state({ ...fresh, default_audience: audience({ delivery_status: delivery('NEED_PUBLISH'), push_status: 0 }) }),
    ).toMatchObject({ status: 'computing', pending: 'publish', not_before: null, covered: 700, accepted: 1000 })
    expect(
      state({ ...fresh, default_audience: audience({ delivery_status: delivery('NEED_PUSH'), push_status: 0 }) }),
    ).toMatchObject({ status: 'computing', pending: 'push' })
    expect(
      state({
        ...fresh,
        default_audience: audience({ delivery_status: delivery('NEED_PUSH'), status: 14, push_status: 1 }),
      }),
    ).toMatchObject({ status: 'computing', pending: null })
    expect(state({ ...fresh, default_audience: audience({}) })).toMatchObject({ status: 'available', pending: null })
  })

  test('after a change is waiting for publication, a day after the last one at the earliest; the earlier version stays in use', () => {
    const changed = {
      lastest_published_change_log_id: 1,
      lastest_published_time: '2026-11-21 09:00:00',
      change_logs: [log(2, 2), log(1, 2)],
      default_audience: audience({}),
    }
    expect(state(changed)).toMatchObject({ status: 'available', pending: 'publish', not_before: now + 13 * 3600 })
    expect(state({ ...changed, lastest_published_time: '2026-11-20 09:00:00' })).toMatchObject({
      pending: 'publish',
      not_before: null,
    })
    expect(state({ ...changed, lastest_published_change_log_id: 2 })).toMatchObject({ pending: null })
    expect(state({ ...changed, change_logs: [log(2, 1), log(1, 2)] })).toMatchObject({
      status: 'computing',
      pending: null,
    })
  })

  test.each([
    [0, 'computing'],
    [4, 'failed'],
    [8, 'computing'],
    [9, 'failed'],
    [10, 'available'],
    [11, 'expired'],
    [14, 'available'],
    [24, 'frozen'],
    [26, 'expired'],
    [29, 'computing'],
  ])('the number %i is %s', (status, wanted) => {
    expect(state({ default_audience: audience({ status }) }).status).toBe(wanted)
  })

  test('of a deleted audience throws', () => {
    for (const more of [{ isdel: 1 }, { status: 22 }]) {
      expect(() => state({ default_audience: audience(more) })).toThrow(PlatformFault)
    }
  })
})

describe('the change that applied a file', () => {
  test('is the newest one that names it', () => {
    const logs = [
      log(3, 1, { file_paths: ['c'] }),
      log(2, 3, { file_paths: ['b'], message: '解析失败' }),
      log(1, 2, { file_paths: ['a', 'x'] }),
    ]
    const row = source({ change_logs: logs })
    expect(changeOf(row, 'a')).toBe('done')
    expect(changeOf(row, 'b')).toEqual({ failed: outcome('platform_refused', { text: '解析失败' }) })
    expect(changeOf(row, 'c')).toBe('waiting')
    expect(changeOf(row, 'not taken over yet')).toBe('waiting')
    expect(changeOf(source({ change_logs: [log(10, 2, { file_paths: ['b'] }), ...logs] }), 'b')).toBe('done')
  })

  test('is every change in the log if the log names no files', () => {
    expect(changeOf(source({ change_logs: [log(2, 1), log(1, 2)] }), 'a')).toBe('waiting')
    expect(changeOf(source({ change_logs: [log(2, 2), log(1, 2)] }), 'a')).toBe('done')
    expect(changeOf(source({ change_logs: [] }), 'a')).toBe('waiting')
  })
})
