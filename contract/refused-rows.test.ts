import { expect, test } from 'vitest'
import { downloadLine, writtenCell } from './download-csv.ts'
import { cellsOfRefused, columnsOfRefused, REFUSED_COLUMNS } from './refused-rows.ts'

test.each(['=1+1', "'=1+1", "''=1", '-5', '  =1', '\t=1', "'name", "O'Neil", '＝1', '', '2026-11-01'])(
  'the cell %j comes back as it was',
  (cell) => {
    const written = downloadLine([cell]).slice(0, -1)
    expect(writtenCell(written)).toBe(cell)
    // Whatever a spreadsheet would run stays behind a quote.
    expect(written).not.toMatch(/^\s*[=+\-@＝＋－＠]|^\t/)
  },
)

test.each<[string, string[], string[] | null]>([
  ['of refused rows', ['日期', "'=花费", ...REFUSED_COLUMNS], ['日期', '=花费']],
  ['of a file that has such columns elsewhere', [...REFUSED_COLUMNS, '日期'], null],
  ['of a file with one of them', ['日期', '未导入原因'], null],
  ['without others', [...REFUSED_COLUMNS], null],
  ['of another file', ['日期', "'=花费"], null],
])('columns %s', (_, columns, own) => {
  expect(columnsOfRefused(columns)).toEqual(own)
})

test('the number and the reason are left out, and a row that is not whole says so', () => {
  expect(cellsOfRefused(["'-5", 'b', '7', '「花费」是负数'])).toEqual({ cells: ['-5', 'b'], isIncomplete: false })
  expect(cellsOfRefused(['5', '', '7（不完整） ', ''])).toEqual({ cells: ['5', ''], isIncomplete: true })
})
