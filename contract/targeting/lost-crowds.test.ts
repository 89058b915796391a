import { expect, test } from 'vitest'
import type { CrowdRow } from './five-tab/crowd-row.ts'
import { lostCrowds } from './lost-crowds.ts'

const row = (id: number, more: Partial<CrowdRow> = {}): CrowdRow => ({
  retargeting_tags_id: String(id),
  name: `人群${id}`,
  is_common: 1,
  retargeting_tags_op: 'ALL',
  ...more,
})
const uses = { retargeting_tags_include: ['1'], retargeting_tags_exclude: ['2'] }

test.each<[string, CrowdRow[], string[]]>([
  ['all are there', [row(1), row(2)], []],
  ['one is not listed', [row(2)], ['1']],
  ['expired', [row(1, { status: 11 }), row(2)], ['1']],
  ['being unbound after its expiry', [row(1), row(2, { status: 25 })], ['2']],
  ['depends on a withdrawn tag', [row(1), row(2, { status: 24 })], ['2']],
  ['still computing', [row(1, { status: 8, is_common: 0 }), row(2)], []],
  ['failed, which a new computation mends', [row(1, { status: 9 }), row(2)], []],
])('%s', (_, listed, lost) => {
  expect(lostCrowds(3, uses, listed)).toEqual(lost)
})

test.each<[string, CrowdRow['status'], string[]]>([
  ['computed', 'SUCCESS', []],
  ['waiting for its first file', 'PENDING', []],
  ['computing', 'PROCESSING', []],
  ['coming back from the frozen ones', 'THAWING', []],
  ['failed, which a new file mends', 'ERROR', []],
  ['of a state that is not known here', 'NEW_STATE', []],
  ['listed without a state', undefined, []],
  ['frozen', 'FROZEN', ['1']],
  ['without its source, which the owner withdrew', 'LOCKING', ['1']],
  ['unused for so long that it can no longer be targeted', 'OFFLINE', ['1']],
])('a crowd of the social platform that is %s', (_, status, lost) => {
  const targeting = { custom_audience: ['1'], excluded_custom_audience: ['2'] }
  expect(lostCrowds(1, targeting, [row(1, { status }), row(2, { status: 'SUCCESS' })])).toEqual(lost)
  expect(lostCrowds(1, targeting, [row(1, { status }), row(2, { status: 'FROZEN' })])).toEqual([...lost, '2'])
})

test('the social form names its crowds otherwise', () => {
  expect(lostCrowds(3, { custom_audience: ['5'], excluded_custom_audience: null }, [row(1)])).toEqual(['5'])
})
