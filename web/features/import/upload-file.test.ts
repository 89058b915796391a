import { expect, test } from 'vitest'
import { refusalOfFile } from './upload-file.ts'

test.each([
  ['users.csv', 10, null],
  ['Users.CSV.GZ', 10, null],
  ['e.jsonl', 10, null],
  ['e.parquet', 10, null],
  ['e.xlsx', 10, '仅支持 csv、ndjson、jsonl、parquet 及其 .gz 压缩文件'],
  ['e.csv.zip', 10, '仅支持 csv、ndjson、jsonl、parquet 及其 .gz 压缩文件'],
  ['e.csv', 0, '文件是空的'],
  [`${'e'.repeat(249)}.csv.gz`, 10, '文件名不能超过 255 个字符'],
  ['e.csv', 6 * 1024 ** 3, '文件超过 5 GB，请使用命令行导入'],
])('%s of %i bytes: %s', (name, size, refusal) => {
  expect(refusalOfFile({ name, size })).toBe(refusal)
})
