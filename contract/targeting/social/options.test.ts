import { expect, test } from 'vitest'
import { optionGroups } from './options.ts'

const groupOf = (field: string) => optionGroups().find(({ value }) => value === field)

test('each dimension with a list of codes has a group of labelled choices', () => {
  expect(groupOf('gender')).toEqual({
    value: 'gender',
    note: '',
    children: [
      { value: 'MALE', label: '男性' },
      { value: 'FEMALE', label: '女性' },
    ],
  })
  const labels = optionGroups().flatMap(({ children }) => children.map(({ label }) => label))
  expect(labels.filter((label) => !/[\p{Script=Han}]|App/u.test(label))).toEqual([])
})

test.each([
  ['working_status', '平台已停用'],
  ['behavior_scene', '平台已停用'],
  ['education', ''],
  ['excluded_dimension', ''],
])('the group %s is noted as %j', (field, note) => expect(groupOf(field)?.note).toBe(note))

test('a choice that is withdrawn says so', () => {
  expect(groupOf('excluded_dimension')?.children).toContainEqual({
    value: 'EXCLUDED_DIMENSION_CAMPAIGN',
    label: '同计划广告（平台已停用）',
  })
})
