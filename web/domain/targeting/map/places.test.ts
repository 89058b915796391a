import { polyphonic } from 'pinyin-pro'
import { expect, test } from 'vitest'
import { readingsFrom } from '#contract/find-text.ts'
import { OUTSIDE_CHINA } from '#contract/targeting/place.ts'
import type { TagNode } from '#contract/targeting-tags.ts'
import {
  circleAt,
  coordinatesIn,
  districtEntries,
  isDistrictMeant,
  liesIn,
  marksOf,
  movedTo,
  pastedPlaces,
  placesFull,
  refusalOf,
  unswapped,
  whereabouts,
} from './places.ts'

const COUNTRY = { code: '100000', name: '中国' }
const POINT = { long: 116.3974281234, lat: 39.90923 }

test.each([
  ['116.397428,39.90923', { long: 116.397428, lat: 39.90923 }],
  [' 116.397428， 39.90923 ', { long: 116.397428, lat: 39.90923 }],
  ['116.39742849 39.9', { long: 116.397428, lat: 39.9 }],
  ['116.397428', null],
  ['东城区', null],
  ['1,2,3', null],
])('%j is read as coordinates', (text, point) => {
  expect(coordinatesIn(text)).toEqual(point)
})

test.each([
  ['the right way round', POINT, null],
  ['swapped', { long: 39.90923, lat: 116.397428 }, { long: 116.397428, lat: 39.90923 }],
  ['swapped, but of Tokyo', { long: 35.6895, lat: 139.6917 }, null],
  ['in no order on the earth', { long: 500, lat: 40 }, null],
])('coordinates %s are offered the other way round only where that lies in China', (_, point, meant) => {
  expect(unswapped(point)).toEqual(meant)
})

test('a place is refused outside of China and beyond the thousandth', () => {
  expect(refusalOf(POINT, [])).toBeNull()
  expect(refusalOf({ long: 139.69, lat: 35.69 }, [])).toBe(OUTSIDE_CHINA)
  expect(refusalOf({ long: 116, lat: -1 }, [])).toBe(OUTSIDE_CHINA)
  const many = Array.from({ length: 1000 }, () => circleAt(POINT, 3000, [COUNTRY]))
  expect(refusalOf(POINT, many)).toBe(placesFull)
  expect(refusalOf(POINT, [circleAt(POINT, 5000, [COUNTRY])])).toBe('这个地点已经添加')
})

test('pasted lines are places, and what cannot be taken is counted', () => {
  const lines = [
    '116.397428,39.90923',
    '121.4737\t31.2304\t旗舰店',
    ' 121.4737, 31.2304 又一次',
    '113.26 23.13，天河 城',
    '139.69,35.69 东京',
    '门店地址',
    '',
  ]
  expect(pastedPlaces(lines, [circleAt(POINT, 3000, [COUNTRY])])).toEqual({
    taken: [
      { point: { long: 121.4737, lat: 31.2304 }, name: '旗舰店' },
      { point: { long: 113.26, lat: 23.13 }, name: '天河 城' },
    ],
    ...{ repeated: 2, outside: 1, unread: 2, over: 0 },
  })
  const many = Array.from({ length: 1001 }, (_, no) => `${(100 + no / 1000).toFixed(3)},30`)
  expect(pastedPlaces(many, [])).toMatchObject({ repeated: 0, over: 1 })
})

test('a place is named after the regions around it, with six decimals', () => {
  const shenzhen = [
    COUNTRY,
    { code: '440000', name: '广东省' },
    { code: '440300', name: '深圳市' },
    { code: '440305', name: '南山区' },
  ]
  expect(circleAt(POINT, 3000, shenzhen)).toEqual({
    ...{ kind: 'circle', name: '南山区地点', long: 116.397428, lat: 39.90923, radius: 3000 },
    ...{ province: '广东省', city: '深圳市', district: '南山区' },
  })
  const beijing = [COUNTRY, { code: '110000', name: '北京市' }, { code: '110101', name: '东城区' }]
  const place = circleAt(POINT, 3000, beijing, '门店')
  expect(place).toMatchObject({ name: '门店', province: '北京市', city: '北京市', district: '东城区' })
  const moved = movedTo(place, { long: 114, lat: 22.5 }, shenzhen)
  expect(moved).toMatchObject({ name: '门店', long: 114, radius: 3000, province: '广东省', district: '南山区' })
  expect(movedTo(place, { long: 120, lat: 20 }, [COUNTRY])).not.toHaveProperty('province')
})

const node = (value: string, label: string, level: string, children: TagNode[] = []): TagNode =>
  ({ value, label, num: null, level, children }) as TagNode

test('商圈 are marked at the region that holds them, found by code or by name', () => {
  const tree = [
    node('440000', '广东省', 'PROVINCE', [
      node('77', '深圳市', 'CITY', [
        node('440305', '南山区', 'DISTRICT', [
          node('1', '科技园', 'BUSINESS_DISTRICT'),
          node('2', '后海', 'BUSINESS_DISTRICT'),
        ]),
      ]),
      node('441900', '东莞市', 'CITY', [node('3', '莞城', 'BUSINESS_DISTRICT')]),
    ]),
  ]
  const entries = districtEntries(tree)
  expect(entries.map(({ id }) => id)).toEqual(['1', '2', '3'])
  const inShenzhen = entries.filter((entry) =>
    liesIn(entry, [COUNTRY, { code: '440000', name: '广东省' }, { code: '440300', name: '深圳市' }]),
  )
  expect(inShenzhen.map(({ name }) => name)).toEqual(['科技园', '后海'])
  const region = (code: string, name: string) => ({
    ...{ code, name, centre: { long: Number(code.slice(0, 3)), lat: 22 }, rings: [], hasMore: true },
  })
  const outline = {
    features: [region('440300', '深圳市'), region('441900', '东莞市'), region('440100', '广州市')],
    json: { type: 'FeatureCollection' as const, features: [] },
  }
  expect(
    marksOf(outline, [COUNTRY, { code: '440000', name: '广东省' }], entries).map(({ count, names }) => [count, names]),
  ).toEqual([
    [2, '科技园、后海'],
    [1, '莞城'],
  ])
})

test('a district lies in its own city, and not in another one that has a district of that name', () => {
  const entry = (id: string, ...around: string[]) => ({
    id,
    name: id,
    around: around.map((label) => ({ value: `${id}${label}`, label })),
  })
  const [beijing, changchun] = [entry('国贸', '北京市', '朝阳区'), entry('桂林路', '吉林省', '长春市', '朝阳区')]
  const path = [COUNTRY, { code: '110000', name: '北京市' }, { code: '110105', name: '朝阳区' }]
  expect([beijing, changchun].map((one) => liesIn(one, path))).toEqual([true, false])
  const nanning = entry('朝阳路', '广西', '南宁市', '兴宁区')
  const cut = [COUNTRY, { code: '450000', name: '广西壮族自治区' }, { code: '450100', name: '南宁市' }]
  expect(liesIn(nanning, cut)).toBe(true)
  expect(liesIn(nanning, [COUNTRY])).toBe(true)
})

const SQUARE = {
  id: '1',
  name: '鼓楼人民广场',
  around: ['江苏省', '南京市', '鼓楼区'].map((label) => ({ value: label, label })),
}

test.each([
  ['人民广场', true],
  ['rmgc', true],
  ['南京', true],
  ['南京 人民广场', true],
  ['nj rmgc', true],
  ['ren min', true],
  ['徐州 人民广场', false],
  ['shi', false],
])('a district is meant by its name and the regions around it: %s: %s', (query, isMeant) => {
  expect(isDistrictMeant(SQUARE, query, readingsFrom(polyphonic))).toBe(isMeant)
})

test('a district is shown with its city', () => {
  expect(whereabouts(SQUARE)).toBe('南京市 鼓楼区')
})
