import { expect, test } from 'vitest'
import { faultsOf } from './form-rules.ts'

const form = { name: '双11高价值女性', day: '2026-12-31', dirId: 1 }
const faults = (change: Partial<typeof form> | Record<string, null>) => faultsOf({ ...form, ...change }, '2026-11-21')

test('a complete form has no faults, its expiry may be today', () => {
  expect(faults({})).toEqual({})
  expect(faults({ day: '2026-11-21' })).toEqual({})
})

test('each fault has the specified message', () => {
  expect(faults({ name: '' })).toEqual({ name: '请输入定向包名称' })
  expect(faults({ name: '人'.repeat(31) })).toEqual({ name: '名称长度在 1 到 30 个字符' })
  expect(faults({ name: '人 群' })).toEqual({ name: '名称只支持中英文，数字，横杠，下划线' })
  expect(faults({ day: null })).toEqual({ day: '请选择失效时间' })
  expect(faults({ day: '2026-11-20' })).toEqual({ day: '失效时间不能早于今天' })
  expect(faults({ dirId: null })).toEqual({ dirId: '请选择存储路径' })
})
