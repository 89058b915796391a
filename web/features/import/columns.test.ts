import { describe, expect, test } from 'vitest'
import { ImportMapping } from '#contract/import.ts'
import {
  commandOf,
  mappingOf,
  missingRoles,
  roleOptions,
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

describe('reports', () => {
  const guess = {
    date: '日期',
    campaign: '活动',
    plan: null,
    account: null,
    metrics: [
      { column: '花费', metric: 'cost' as const },
      { column: '展示', metric: 'imp_pv' as const },
    ],
  }
  const reports = () => startingRoles('reports', ['日期', '活动', '计划', '花费', '展示', '备注'], guess)

  test('guessed columns get their roles, all others are not imported', () => {
    expect(reports().roles).toEqual({
      日期: 'date',
      活动: 'campaign',
      计划: 'skip',
      花费: 'metric:cost',
      展示: 'metric:imp_pv',
      备注: 'skip',
    })
    expect(roleOptions('reports').map(({ label }) => label)).toEqual([
      ...['日期', '活动', '计划', '平台账户 ID', '不导入', '指标'],
    ])
  })

  test('a metric moves to the new column, and a file needs a date, a campaign and a metric', () => {
    const moved = setRole(reports(), '备注', 'metric:cost')
    expect(moved.roles).toMatchObject({ 花费: 'skip', 备注: 'metric:cost' })
    const without = setRole(setRole(reports(), '花费', 'skip'), '展示', 'skip')
    expect(missingRoles(without)).toEqual(['指标'])
    expect(mappingOf(without)).toBeNull()
    expect(missingRoles(startingRoles('reports', ['a'], {}))).toEqual(['日期', '活动', '指标'])
  })

  test('the mapping and the command name every column', () => {
    const mapping = mappingOf(setRole(reports(), '计划', 'plan'))
    if (!mapping) throw new Error('mapping is whole')
    expect(ImportMapping.parse(mapping)).toEqual({
      kind: 'reports',
      date: '日期',
      campaign: '活动',
      plan: '计划',
      metrics: guess.metrics,
    })
    expect(commandOf(mapping, 'day.csv', 'shop')).toBe(
      `npm run renqun -- import reports day.csv --advertiser shop --date '日期' --campaign '活动' --plan '计划' --metric '花费=cost' --metric '展示=imp_pv'`,
    )
  })
})
