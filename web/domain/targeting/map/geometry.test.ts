import { expect, test } from 'vitest'
import { circleRing, isInside, MERCATOR, metresBetween, type Pair, pointAway, pointUnder, widthOf } from './geometry.ts'

const BEIJING = { long: 116.397428, lat: 39.90923 }
const SHANGHAI = { long: 121.473701, lat: 31.230416 }

test('the distance between 北京 and 上海 is about 1,068 km', () => {
  expect(metresBetween(BEIJING, SHANGHAI) / 1000).toBeCloseTo(1068, -1)
})

test.each([
  ['in the south', { long: 109.5, lat: 18.2 }],
  ['in 北京', BEIJING],
  ['in the far north', { long: 122.3, lat: 53.4 }],
])('every point of a circle %s is its radius away, to a metre', (_, centre) => {
  for (const radius of [200, 3000, 15_000, 25_000]) {
    const ring = circleRing(centre, radius)
    expect(ring.at(-1)).toEqual(ring[0])
    for (const [long, lat] of ring) {
      expect(Math.abs(metresBetween(centre, { long, lat }) - radius)).toBeLessThan(1)
    }
  }
})

test('a circle spans more degrees of longitude than of latitude, and looks round on the map', () => {
  const ring = circleRing(BEIJING, 10_000)
  const span = (values: number[]) => Math.max(...values) - Math.min(...values)
  const [wide, high] = [span(ring.map(([long]) => long)), span(ring.map(([, lat]) => lat))]
  expect(wide / high).toBeCloseTo(1 / Math.cos((BEIJING.lat * Math.PI) / 180), 2)
  const drawn = ring.map((pair) => MERCATOR.project(pair))
  expect(span(drawn.map(([x]) => x)) / span(drawn.map(([, y]) => y))).toBeCloseTo(1, 2)
})

test('east is east and north is north', () => {
  expect(pointAway(BEIJING, 1000, 90).long).toBeGreaterThan(BEIJING.long)
  expect(pointAway(BEIJING, 1000, 0).lat).toBeGreaterThan(BEIJING.lat)
})

test('the projection has an inverse', () => {
  const [long, lat] = MERCATOR.unproject(MERCATOR.project([BEIJING.long, BEIJING.lat]))
  expect(long).toBeCloseTo(BEIJING.long, 9)
  expect(lat).toBeCloseTo(BEIJING.lat, 9)
})

test('the point under a pixel is the one that is drawn there, however far the map is moved and zoomed', () => {
  const pixelOf = (pair: Pair): Pair => {
    const [x, y] = MERCATOR.project(pair)
    return [(x - 116) * 8000 + 300, (y + 42) * 8000 + 200]
  }
  const { long, lat } = pointUnder(pixelOf([BEIJING.long, BEIJING.lat]), pixelOf)
  expect(long).toBeCloseTo(BEIJING.long, 5)
  expect(lat).toBeCloseTo(BEIJING.lat, 5)
})

test('a hole is outside', () => {
  const square = (from: number, to: number): [number, number][] => [
    [from, from],
    [to, from],
    [to, to],
    [from, to],
  ]
  const rings = [square(0, 10), square(4, 6)]
  expect(isInside(rings, { long: 2, lat: 2 })).toBe(true)
  expect(isInside(rings, { long: 5, lat: 5 })).toBe(false)
  expect(isInside(rings, { long: 11, lat: 5 })).toBe(false)
  expect(widthOf(rings)).toBe(10)
})
