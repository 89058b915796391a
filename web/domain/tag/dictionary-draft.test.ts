import { expect, test } from 'vitest'
import { DICTIONARY_MAX } from '#contract/tag-field.ts'
import {
  entriesOf,
  newRow,
  pastedRows,
  problemsOfRows,
  rowsOfDictionary,
  unreadText,
  withRows,
} from './dictionary-draft.ts'

const pairs = (rows: readonly { value: string; label: string }[]) => rows.map(({ value, label }) => `${value}=${label}`)

test('lines are pasted with the separators of tables and of typing', () => {
  expect(pairs(pastedRows('0=男\n1,女\r\n2\t未知\n\n=无\n3\n4：四\n5＝五\n6→六\n7->七').rows)).toEqual([
    ...['0=男', '1=女', '2=未知', '4=四', '5=五', '6=六', '7=七'],
  ])
})

test('pasted lines that are no value with its name are told by their numbers', () => {
  const shown = (lines: readonly string[]) => unreadText(pastedRows(lines.join('\n')))
  expect(shown(['0=男', ''])).toBeNull()
  expect(shown(['0=男', '', '=无', '3', '4='])).toBe('3 行不会加入（没有读出值和名称）：第 3、4、5 行')
  expect(shown([...'123456'])).toBe('6 行不会加入（没有读出值和名称）：第 1、2、3、4、5 等行')
  const tooMany = Array.from({ length: DICTIONARY_MAX + 1 }, (_, i) => `${i}=值${i}`)
  expect(shown(tooMany)).toContain(`超过 ${DICTIONARY_MAX} 个）：第 ${DICTIONARY_MAX + 1} 行`)
})

test('a pasted value replaces the name that stands, and rows that were left empty go', () => {
  expect(pairs(withRows([newRow('0', '先生'), newRow()], pastedRows('0=男\n1=女').rows))).toEqual(['0=男', '1=女'])
  // Values of the data come without a name and take none away.
  expect(pairs(withRows([newRow('0', '男')], [newRow('0'), newRow('1')]))).toEqual(['0=男', '1='])
})

test('what is wrong is told by row, and masked rows are neither checked nor saved', () => {
  const rows = [newRow('0', '男'), newRow('0', '女'), newRow('1', ' '), newRow('', '空'), newRow()]
  const problems = problemsOfRows(rows)
  expect(rows.map(({ key }) => problems.get(key) ?? null)).toEqual([
    null,
    '同一个值只能有一个名称',
    null,
    '请输入值',
    null,
  ])
  const masked = rowsOfDictionary([{ value: '138****5678', label: '老板', is_masked: true }])
  expect(entriesOf([...masked, newRow('1', ' 女 '), newRow('2'), newRow()])).toEqual([{ value: '1', label: '女' }])
})
