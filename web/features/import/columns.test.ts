import { expect, test } from 'vitest'
import { ImportMapping } from '#contract/import.ts'
import {
  commandOf,
  mappingOf,
  missingRoles,
  setNumbered,
  setRole,
  setSettings,
  settingsText,
  startingRoles,
} from './columns.ts'

const columns = ['uid', '姓名', 'mobile', 'imei', 'note']
const users = () => startingRoles('users', columns, { id: 'uid', name: '姓名', phone: 'mobile' })

test('guessed columns get their roles, all others are attributes', () => {
  expect(users().roles).toEqual({ uid: 'id', 姓名: 'name', mobile: 'phone', imei: 'rest', note: 'rest' })
})

test('a guessed column that is not in the file is left out', () => {
  expect(startingRoles('users', ['a'], { id: 'uid' }).roles).toEqual({ a: 'rest' })
})

test('a role that only one column may have moves to the new column', () => {
  expect(setRole(users(), 'note', 'id').roles).toMatchObject({ uid: 'rest', note: 'id' })
  expect(setRole(setRole(users(), 'note', 'skip'), 'imei', 'skip').roles).toMatchObject({ note: 'skip', imei: 'skip' })
})

test('numbered rows need no id column, and choosing an id column ends numbering', () => {
  const numbered = setNumbered(users(), true)
  expect(numbered.roles.uid).toBe('rest')
  expect(missingRoles(numbered)).toEqual([])
  expect(mappingOf(numbered)).toMatchObject({ id: 'row' })
  expect(setRole(numbered, 'uid', 'id').numbered).toBe(false)
})

test('events need an id, a name and a time', () => {
  const events = startingRoles('events', ['u', 'e', 't', 'price'], {})
  expect(missingRoles(events)).toEqual(['用户 ID', '事件名', '发生时间'])
  expect(mappingOf(events)).toBeNull()
  const mapped = mappingOf(setRole(setRole(setRole(events, 'u', 'id'), 'e', 'event'), 't', 'time'))
  expect(ImportMapping.parse(mapped)).toEqual({ kind: 'events', id: 'u', event: 'e', time: 't', skip: [] })
})

test('the mapping and the command contain identifiers and skipped columns', () => {
  const mapping = mappingOf(setRole(setRole(users(), 'imei', 'identifier:HASH_IMEI'), 'note', 'skip'))
  if (!mapping) throw new Error('mapping is whole')
  expect(ImportMapping.parse(mapping)).toMatchObject({
    identifiers: [{ column: 'imei', type: 'HASH_IMEI' }],
    skip: ['note'],
  })
  expect(commandOf(mapping, "o'brien.csv", '示例商城')).toBe(
    `npm run renqun -- import users 'o'\\''brien.csv' --advertiser '示例商城' --id uid --name '姓名' --phone mobile --identifier 'imei=HASH_IMEI' --skip note`,
  )
  expect(commandOf({ ...mapping, encoding: 'gb18030' }, 'gbk.csv', '示例商城')).toMatch(/ --encoding gb18030$/)
})

test('settings of columns that become attributes are in the mapping and the command', () => {
  const settings = {
    column: 'note',
    name: 'sex',
    display_name: '性别',
    type: 'text' as const,
    dictionary: [{ value: '0', label: '男' }],
  }
  const roles = setSettings(users(), settings)
  expect(settingsText(roles.settings.note)).toBe('性别 · 文字 · 1 个值有名称')
  const mapping = mappingOf(roles)
  if (!mapping) throw new Error('mapping is whole')
  expect(ImportMapping.parse(mapping)).toMatchObject({ fields: [settings] })
  expect(commandOf(mapping, 'a.csv', '店')).toContain(
    `--rename 'note=sex' --display 'note=性别' --type 'note=text' --label 'note=0=男'`,
  )
  // A skipped column has no settings, and neither has one that is as it was.
  expect(mappingOf(setRole(roles, 'note', 'skip'))).not.toHaveProperty('fields')
  expect(mappingOf(setSettings(users(), { column: 'note' }))).not.toHaveProperty('fields')
})
