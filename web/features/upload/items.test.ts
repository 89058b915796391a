import { describe, expect, test } from 'vitest'
import { outcome } from '#contract/outcome.ts'
import { fileFault, HASHED_FILE_MAX, HASHED_SENT_MAX, UPLOAD_FILE_MAX } from '#contract/upload.ts'
import { restored } from '../../lib/upload/transfer.ts'
import { filesFault, filesOf, newItem, PHASES, sortOut, type UploadItem } from './items.ts'

const item = (part: Partial<UploadItem>): UploadItem => ({
  ...newItem('a', { name: 'a.txt', size: 10, lastModified: 0 }),
  ...part,
})
const done = item({ phase: 'done', uri: 'u1', total: 12, sent: 12 })

describe('files chosen together', () => {
  test('each is checked together with those before it', () => {
    const file = { name: 'a.txt', size: 10 }
    const { accepted, refused } = sortOut([file, file, { name: 'b.xlsx', size: 1 }, { name: 'c.ZIP', size: 1 }], [])
    expect(accepted.map((one) => one.name)).toEqual(['a.txt', 'c.ZIP'])
    expect(refused).toEqual([
      { name: 'a.txt', reason: '「a.txt」已在列表中' },
      { name: 'b.xlsx', reason: '不支持上传该类型文件' },
    ])
  })

  test('at most twenty, including those already in the list', () => {
    const listed = Array.from({ length: 19 }, (_, i) => ({ name: `${i}.txt`, size: 1 }))
    const { accepted, refused } = sortOut(
      [
        { name: 'x.txt', size: 1 },
        { name: 'y.txt', size: 1 },
      ],
      listed,
    )
    expect(accepted).toHaveLength(1)
    expect(refused).toEqual([{ name: 'y.txt', reason: '最多上传 20 个文件' }])
  })

  test('at most 1000M in total', () => {
    const listed = Array.from({ length: 19 }, (_, i) => ({ name: `${i}.txt`, size: UPLOAD_FILE_MAX + 1024 }))
    expect(sortOut([{ name: 'x.txt', size: UPLOAD_FILE_MAX }], listed).refused).toEqual([
      { name: 'x.txt', reason: '可上传文件总大小不能超过1000M' },
    ])
  })

  test('a file to be hashed has at most 200 MB, and its hashes may have more', () => {
    const refused = (size: number) => sortOut([{ name: 'x.txt', size }], [], true).refused.map(({ reason }) => reason)
    expect(refused(HASHED_FILE_MAX)).toEqual([])
    expect(refused(HASHED_FILE_MAX + 1)).toEqual(['单个文件大小不能超过 200 MB'])
    const hashes = { name: 'x.txt', size: HASHED_SENT_MAX }
    expect(fileFault(hashes, [], true)).toBeNull()
    expect(fileFault({ ...hashes, size: HASHED_SENT_MAX + 1 }, [], true)).not.toBeNull()
  })
})

test('the label of each state says what a click does', () => {
  const { uploading, done: success, paused, failed } = PHASES
  expect([uploading, success, paused, failed]).toEqual(['上传中', '成功', '已暂停，点击继续', '失败，点击重试'])
})

test('only complete uploads can be submitted', () => {
  expect(filesFault([])).toEqual(outcome('upload_missing'))
  for (const phase of ['reading', 'hashing', 'uploading', 'reconnecting', 'paused', 'failed', 'lost'] as const) {
    expect(filesFault([done, item({ phase })])).toEqual(outcome('uploads_unfinished'))
  }
  expect(filesFault([done])).toBeNull()
})

test('the submitted size and hashing report are those of the sent file', () => {
  const report = {
    from: 'MOBILE_PHONE',
    lines: 3,
    already: 1,
    malformed: 0,
    normalised: 0,
    marked: true,
    local_id: null,
  }
  expect(filesOf([item({ ...done, report })])).toEqual([
    { name: 'a.txt', size: 12, uri: 'u1', hashed: report, choice: null },
  ])
})

test('an encoding is sent only where the viewer chose it', () => {
  const table = { encoding: 'utf-8', separator: ',', column: 1, has_header: true } as const
  const lines = { encoding: 'gb18030', separator: null, column: 0, has_header: false } as const
  const sent = (part: Partial<UploadItem>) => filesOf([item({ ...done, ...part })])[0]?.choice
  expect(sent({ choice: table })).toEqual({ ...table, encoding: null })
  expect(sent({ choice: table, chosen: { column: 1 } })).toEqual({ ...table, encoding: null })
  expect(sent({ choice: lines })).toBeNull()
  expect(sent({ choice: lines, chosen: { encoding: 'gb18030' } })).toEqual(lines)
  expect(sent({ choice: table, chosen: { encoding: 'utf-8' } })).toEqual(table)
})

test('after a reload finished and paused files stay so, the others start by themselves', () => {
  expect(restored(done)).toBe(done)
  expect(restored(item({ phase: 'paused', speed: 5 }))).toMatchObject({ phase: 'paused', speed: null })
  for (const phase of ['hashing', 'uploading', 'reconnecting', 'failed', 'lost'] as const) {
    expect(restored(item({ phase, error: 'x' }))).toMatchObject({ phase: 'reading', error: null })
  }
})
