import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changedLines, compareLines } from './compare.ts'
import { packageLines } from './lines.ts'
import type { PackageLine } from './packages.ts'

const [SOCIAL, COMMERCE] = [1, 3] as const

test('conditions stand side by side, with what only one of them has marked', () => {
  const left = packageLines(COMMERCE, { age: ['AGE_BETWEEN_18_23', 'AGE_BETWEEN_24_30'], gender: ['GENDER_FEMALE'] })
  const right = packageLines(COMMERCE, { age: ['AGE_BETWEEN_24_30'], gender: ['GENDER_FEMALE'], ac: ['WIFI'] })
  expect(compareLines(left, right)).toEqual([
    {
      tabLabel: '人口学属性',
      label: '年龄',
      left: [
        { word: '18-23 岁', isOnly: true },
        { word: '24-30 岁', isOnly: false },
      ],
      right: [{ word: '24-30 岁', isOnly: false }],
      isDifferent: true,
    },
    {
      tabLabel: '人口学属性',
      label: '性别',
      left: [{ word: '女', isOnly: false }],
      right: [{ word: '女', isOnly: false }],
      isDifferent: false,
    },
    { tabLabel: '设备定向', label: '网络', left: [], right: [{ word: 'Wi-Fi', isOnly: true }], isDifferent: true },
  ])
  expect(changedLines(left, right)).toEqual([
    { label: '年龄', gone: ['18-23 岁'], come: [] },
    { label: '网络', gone: [], come: ['Wi-Fi'] },
  ])
})

test('packages of different platforms meet by their labels, and regions by their names', () => {
  const names = new Map([['110000', '北京市']])
  const regions = { regions: ['110000'], regionsPlan: [] }
  const left = packageLines(COMMERCE, { district: ['CITY'], regions, location_types: ['HOME'] }, names)
  const right = packageLines(
    SOCIAL,
    { geo_location: 'REGIONS', regions: ['110000'], location_types: ['LIVE_IN'] },
    names,
  )
  expect(compareLines(left, right).map(({ label, left, isDifferent }) => [label, left[0]?.word, isDifferent])).toEqual([
    ['地域', '北京市', false],
    ['地点类型', '居住在该地区的用户', true],
  ])
})

test('what only the right one has stands where it has it', () => {
  const left = packageLines(COMMERCE, { gender: ['GENDER_FEMALE'], ac: ['WIFI'] })
  const right = packageLines(COMMERCE, {
    ...{ age: ['AGE_ABOVE_50'], gender: ['GENDER_FEMALE'], district: ['CITY'] },
    regions: { regions: ['110000'], regionsPlan: [] },
  })
  expect(compareLines(left, right).map(({ label }) => label)).toEqual(['年龄', '性别', '地域', '地点类型', '网络'])
})

const line: fc.Arbitrary<PackageLine> = fc.record({
  tab: fc.constant('page'),
  tabLabel: fc.constant('页'),
  field: fc.constant('age'),
  label: fc.constantFrom('甲', '乙', '丙'),
  words: fc.uniqueArray(fc.constantFrom('一', '二', '三'), { minLength: 1 }),
  isWithdrawn: fc.constant(false),
})
const lines = fc.uniqueArray(line, { selector: ({ label }) => label })

test('nothing differs from itself, and the two sides may be exchanged', () => {
  fc.assert(
    fc.property(lines, lines, (left, right) => {
      expect(changedLines(left, left)).toEqual([])
      const turned = changedLines(right, left).map(({ label, gone, come }) => ({ label, gone: come, come: gone }))
      const byLabel = (list: typeof turned) => list.toSorted((a, b) => a.label.localeCompare(b.label))
      expect(byLabel(turned)).toEqual(byLabel(changedLines(left, right)))
    }),
  )
})
