import { expect, test } from 'vitest'
import { refusalOfFile, sampled, secondsLeft, speedOf } from './upload-file.ts'

test.each([
  ['users.csv', 10, null],
  ['Users.CSV.GZ', 10, null],
  ['e.jsonl', 10, null],
  ['e.parquet', 10, null],
  ['e.xlsx', 10, '仅支持 csv、ndjson、jsonl、parquet 及其 .gz 压缩文件'],
  ['e.csv.zip', 10, '仅支持 csv、ndjson、jsonl、parquet 及其 .gz 压缩文件'],
  ['e.csv', 0, '文件是空的'],
  ['e.csv', 6 * 1024 ** 3, '文件超过 5 GB，请使用命令行导入'],
])('%s of %i bytes: %s', (name, size, refusal) => {
  expect(refusalOfFile({ name, size })).toBe(refusal)
})

test('the speed is that of the last moments, and says how long is left', () => {
  let samples = sampled([], { at: 0, sent: 0 })
  expect(speedOf(samples)).toBeNull()
  samples = sampled(samples, { at: 1000, sent: 100 })
  expect(speedOf(samples)).toBe(100)
  samples = sampled(sampled(samples, { at: 5000, sent: 4100 }), { at: 6000, sent: 5100 })
  expect(speedOf(samples)).toBe(1000)
  expect(secondsLeft(10_100, 5100, 1000)).toBe(5)
  expect(secondsLeft(10_100, 5100, 0)).toBeNull()
})

test('a resumed upload that fell back to the last byte that arrived starts measuring anew', () => {
  const samples = sampled(sampled([], { at: 0, sent: 900 }), { at: 500, sent: 400 })
  expect(samples).toEqual([{ at: 500, sent: 400 }])
})
