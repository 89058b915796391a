import { expect, test } from 'vitest'
import type { ImportReport } from '#contract/import.ts'
import { countedNow, repeatNotes } from './counted-now.ts'

const REPORT: ImportReport = {
  ...{ rows: 10, stored: 0, duplicate: 8, refused: 2, new_people: 0 },
  ...{ reasons: [], warnings: [], took_ms: 5 },
}

test.each([
  ['nothing was undone', 'done', 0, 0, 8],
  ['the earlier import was undone', 'done', 8, 8, 0],
  ['one of two was undone', 'done', 3, 3, 5],
  ['it was undone itself', 'undone', 8, 0, 8],
] as const)('counts after %s', (_, status, taken_over, stored, duplicate) => {
  const now = countedNow({ status, taken_over }, REPORT)
  expect(now).toMatchObject({ rows: 10, stored, duplicate, refused: 2 })
  expect(now.stored + now.duplicate + now.refused).toBe(now.rows)
})

test('says why rows are repeated, and since when they are the import’s own', () => {
  expect(repeatNotes({ kind: 'reports', status: 'done', taken_over: 0 }, REPORT)).toEqual([
    '重复的 8 行与当时已存入的那天完全相同，不会重复计入；如果撤销那次导入，就改计入这次导入。',
  ])
  expect(repeatNotes({ kind: 'users', status: 'done', taken_over: 8 }, REPORT)).toEqual([
    '已存入的行中，8 行导入时是重复的；存入相同行的那次导入撤销后，改计入这次导入。',
  ])
})
