import { expect, test } from 'vitest'
import { packageLines, regionCodesIn } from './lines.ts'

const [SOCIAL, COMMERCE] = [1, 3] as const

test.each<[string, Record<string, unknown>, string[]]>([
  ['a list of social', { regions: ['110000', '440100'] }, ['110000', '440100']],
  ['regions beside plans of the five-tab editor', { regions: { regions: ['310000'], regionsPlan: [] } }, ['310000']],
  ['none', {}, []],
  ['a cleared field', { regions: null }, []],
  ['numbers of an older version', { regions: [110000] }, ['110000']],
])('the codes of regions: %s', (_, targeting, codes) => {
  expect(regionCodesIn(targeting)).toEqual(codes)
})

test('regions have the names that are known, and the others their codes', () => {
  const names = new Map([['440100', '广州市']])
  const social = { geo_location: 'REGIONS', regions: ['440100', '999999'], location_types: ['LIVE_IN'] }
  const commerce = {
    district: ['CITY'],
    regions: { regions: ['440100', '999999'], regionsPlan: [] },
    location_types: ['HOME'],
  }
  for (const [platform, targeting] of [
    [SOCIAL, social],
    [COMMERCE, commerce],
  ] as const) {
    const line = packageLines(platform, targeting, names).find(({ field }) => field === 'regions')
    expect(line?.words).toEqual(['广州市', '999999'])
  }
})
