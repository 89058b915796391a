import { expect, test } from 'vitest'
import { sentenceOf } from '../outcome.ts'
import type { EditorMode } from './mode.ts'
import { type NewPackage, newPackageFaults } from './new-package.ts'
import { openingWarning } from './opening.ts'

test.each<[number, EditorMode, string | null]>([
  [-1, 'edit', '未找到定向包，请重新选择自定义定向包'],
  [-1, 'copy', '未找到定向包，请重新选择自定义定向包'],
  [-1, 'read', null],
  [1, 'edit', null],
])('a package of status %s warns in mode %s when a crowd is lost', (status, mode, sentence) => {
  const warning = openingWarning(status, mode)
  expect(warning && sentenceOf(warning)).toBe(sentence)
})

const TODAY = 1_700_000_000
const complete: NewPackage = { invalid_time: TODAY, dir_id: 1, landing_type: 'LIVE', advertiser_id: 4 }
const saas = { today: TODAY, isSaas: true, hasTypes: true }

test.each<[string, Partial<NewPackage>, Partial<typeof saas>, string[]]>([
  ['a complete dialog has no fault', {}, {}, []],
  ['an expiry date is required', { invalid_time: null }, {}, ['请选择失效时间']],
  ['the expiry date is not in the past', { invalid_time: TODAY - 1 }, {}, ['失效时间不能早于今天']],
  ['a storage path is required', { dir_id: null }, {}, ['请选择存储路径']],
  ['a package type is required', { landing_type: null }, {}, ['请选择定向包类型']],
  ['a platform without types asks for none', { landing_type: null }, { hasTypes: false }, []],
  ['an advertiser is required in SaaS', { advertiser_id: null }, {}, ['请选择广告主']],
  ['no advertiser is asked for elsewhere', { advertiser_id: null }, { isSaas: false }, []],
])('%s', (_, given, edition, sentences) => {
  const faults = newPackageFaults({ ...complete, ...given }, { ...saas, ...edition })
  expect(faults.map(({ reason }) => sentenceOf(reason))).toEqual(sentences)
})
