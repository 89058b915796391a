import { expect, test } from 'vitest'
import { downloadLine } from './download-csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+cmd', "'+cmd"],
  ['-2', "'-2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  ['\n=1', `"'\n=1"`],
  ['  =1', "'  =1"],
  ['\ufeff=1', "'\ufeff=1"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠A', "'＠A"],
  ['=HYPERLINK("a","b")', `"'=HYPERLINK(""a"",""b"")"`],
  ['a=b', 'a=b'],
  ['张三', '张三'],
  ['', ''],
])('the cell %j is written as %j', (cell, written) => {
  expect(downloadLine([cell, 'x'])).toBe(`${written},x\n`)
})
