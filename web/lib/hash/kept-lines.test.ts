import { expect, test } from 'vitest'
import { MARK_FAULTS, WITHHELD_MARK } from '#contract/line-mark.ts'
import { keepLines, keptLinesCsv, newKeptLines } from './kept-lines.ts'

const blobOf = (...lines: [row: number, text: string][]) =>
  new Blob(lines.map(([row, text]) => `${row}\t${MARK_FAULTS[WITHHELD_MARK]}\t${text}\n`))

test('lines are numbered across slices, and a spreadsheet runs none of them', async () => {
  const kept = newKeptLines('HASH_IMEI')
  keepLines(kept, { firstLine: 1, name: '', lines: blobOf([0, '  =cmd|x'], [9, 'a\t,"b"']) }, 2)
  keepLines(kept, { firstLine: 101, name: '', lines: blobOf([2, '＝1+1']) }, 1)
  expect((await (await keptLinesCsv(kept)).text()).trimEnd().split('\n')).toEqual([
    '行号,原因,内容',
    "1,应为 32 位十六进制字符,'  =cmd|x",
    '10,应为 32 位十六进制字符,"a\t,""b"""',
    "103,应为 32 位十六进制字符,'＝1+1",
  ])
})

test('lines beyond 5 million or 200 MB are counted', async () => {
  const kept = newKeptLines('HASH_IMEI')
  const lines = blobOf([0, 'x'])
  keepLines(kept, { firstLine: 1, name: '', lines }, 5_000_000)
  expect(kept.dropped).toBe(0)
  keepLines(kept, { firstLine: 5_000_001, name: '', lines }, 1)
  expect([kept.lines, kept.dropped]).toEqual([5_000_000, 1])
  const csv = await (await keptLinesCsv(kept)).text()
  expect(csv.endsWith(',其余 1 行未保留,\n')).toBe(true)

  const large = newKeptLines('HASH_IMEI')
  const sized = (size: number) => ({ size }) as Blob
  keepLines(large, { firstLine: 1, name: '', lines: sized(200 * 1024 ** 2) }, 1)
  keepLines(large, { firstLine: 2, name: '', lines: sized(1) }, 7)
  expect([large.lines, large.dropped]).toEqual([1, 7])
})
