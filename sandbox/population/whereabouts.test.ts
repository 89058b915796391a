import fc from 'fast-check'
import { expect, test } from 'vitest'
import { businessDistrictOf, businessDistricts } from './business-districts.ts'
import { metresBetween, pointNear, pointsInside } from './geometry.ts'
import { both, countOf, either } from './population.ts'
import { regionOf, theCountry } from './regions.ts'
import { circleWhereabouts, inRegions, ofType, regionWhereabouts } from './whereabouts.ts'

const DISTRICTS = businessDistricts()
const Circle = fc.record({
  center: fc.constantFrom(...DISTRICTS.slice(0, 400).map(({ center }) => center)),
  metres: fc.integer({ min: 200, max: 25_000 }),
})

test('each place has 商圈 of its own, a city without districts more than a district', () => {
  const leaves = theCountry().children.flatMap((province) => province.children.flatMap((city) => city.children))
  const places = new Set(DISTRICTS.map(({ region }) => region))
  expect(leaves.filter(({ code, children }) => children.length === 0 && !places.has(code))).toEqual([])
  expect(DISTRICTS.filter(({ region }) => region === '440305')).toHaveLength(2)
  expect(DISTRICTS.filter(({ region }) => region === '441900')).toHaveLength(6)
  expect(new Set(DISTRICTS.map(({ id }) => id)).size).toBe(DISTRICTS.length)
  expect(businessDistrictOf(DISTRICTS[7]?.id ?? '')).toEqual(DISTRICTS[7])
  expect(businessDistrictOf('1')).toBeNull()
})

test('points are inside of an outline, and never in its holes', () => {
  const square = (from: number, to: number) =>
    [
      [from, from],
      [to, from],
      [to, to],
      [from, to],
    ] as const
  const outline = { type: 'Polygon', coordinates: [square(0, 1), square(0.25, 0.75)] }
  const points = pointsInside(outline, 5, 50)
  expect(points).toHaveLength(50)
  for (const [x, y] of points) {
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
    expect(Math.max(x, y)).toBeLessThanOrEqual(1)
    expect(x > 0.25 && x < 0.75 && y > 0.25 && y < 0.75).toBe(false)
  }
})

test('a point so many metres away is so many metres away', () => {
  fc.assert(
    fc.property(Circle, fc.double({ min: 0, max: 1, noNaN: true }), ({ center, metres }, direction) => {
      const away = metresBetween(center, pointNear(center, metres, direction))
      expect(Math.abs(away - metres)).toBeLessThan(metres * 0.01)
    }),
  )
})

test('a wider circle holds everyone that a narrower one holds, and two circles hold what each of them does', () => {
  fc.assert(
    fc.property(Circle, Circle, fc.integer({ min: 1, max: 20_000 }), (one, other, more) => {
      const home = circleWhereabouts([one]).home
      const wider = circleWhereabouts([{ ...one, metres: one.metres + more }]).home
      expect(countOf(both(home, wider))).toBe(countOf(home))
      const together = circleWhereabouts([one, other]).home
      expect(together).toEqual(either(home, circleWhereabouts([other]).home))
    }),
    { numRuns: 60 },
  )
})

test('a circle over a whole city holds its people, and 商圈 of a city are within it', () => {
  const shenzhen = regionOf('440300')
  const districts = DISTRICTS.filter(({ region }) => shenzhen?.children.some(({ code }) => code === region))
  expect(districts.length).toBeGreaterThan(10)
  const people = circleWhereabouts(districts).home
  expect(countOf(people)).toBeGreaterThan(0)
  const middle = { center: districts[0]?.center ?? [0, 0], metres: 120_000 } as const
  const lives = inRegions(['440300'], 'HOME')
  expect(countOf(both(lives, circleWhereabouts([middle]).home))).toBe(countOf(lives))
})

test('residents and visitors add up to everyone of a place', () => {
  const area = regionWhereabouts(['110000'])
  expect(countOf(ofType(area, 'HOME')) + countOf(ofType(area, 'TRAVEL'))).toBe(countOf(ofType(area, 'ALL')))
  expect(countOf(both(ofType(area, 'HOME'), ofType(area, 'TRAVEL')))).toBe(0)
})
