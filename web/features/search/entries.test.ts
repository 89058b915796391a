import { expect, test } from 'vitest'
import { matching } from './entries.ts'

const entries = [
  { key: '1', title: '人群资产', place: '人群管理', run: () => {} },
  { key: '2', title: '新建人群', words: '组合定向包 规则', run: () => {} },
  { key: '3', title: '导入数据', words: 'CSV', run: () => {} },
]

test.each([
  ['', '123'],
  ['人群', '12'],
  ['人群 新建', '2'],
  ['csv', '3'],
  ['定向包', '2'],
  ['管理', '1'],
  ['没有', ''],
])('“%s” finds %s', (query, found) =>
  expect(
    matching(entries, query)
      .map((one) => one.key)
      .join(''),
  ).toBe(found),
)
