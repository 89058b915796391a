/** Degrees, GCJ-02. */
export interface Point {
  long: number
  lat: number
}
export type Pair = [long: number, lat: number]
export type Ring = readonly Pair[]

const EARTH_METRES = 6_371_008.8
const CIRCLE_STEPS = 72
const radians = (degrees: number) => (degrees * Math.PI) / 180
const degrees = (angle: number) => (angle * 180) / Math.PI

/** Six decimals, about 11 cm. */
export const rounded = (value: number): number => Math.round(value * 1e6) / 1e6

/** Metres between two points along the earth's surface. */
export function metresBetween(one: Point, other: Point): number {
  const half = (value: number) => Math.sin(radians(value) / 2) ** 2
  const h =
    half(other.lat - one.lat) + Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * half(other.long - one.long)
  return 2 * EARTH_METRES * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** The point so many metres away, in a direction clockwise from north in degrees. */
export function pointAway({ long, lat }: Point, metres: number, direction: number): Point {
  const arc = metres / EARTH_METRES
  const from = radians(lat)
  const bearing = radians(direction)
  const to = Math.asin(Math.sin(from) * Math.cos(arc) + Math.cos(from) * Math.sin(arc) * Math.cos(bearing))
  const turn = Math.atan2(
    Math.sin(bearing) * Math.sin(arc) * Math.cos(from),
    Math.cos(arc) - Math.sin(from) * Math.sin(to),
  )
  return { long: long + degrees(turn), lat: degrees(to) }
}

/** The outline of a circle, true to metres at its latitude; the last point is the first. */
export const circleRing = (centre: Point, metres: number): Pair[] =>
  Array.from({ length: CIRCLE_STEPS + 1 }, (_, step) => {
    const { long, lat } = pointAway(centre, metres, ((step % CIRCLE_STEPS) * 360) / CIRCLE_STEPS)
    return [long, lat]
  })

/** Whether a point is inside: a line from it crosses the rings an odd number of times. */
export function isInside(rings: readonly Ring[], { long, lat }: Point): boolean {
  let inside = false
  for (const ring of rings) {
    for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
      const [x, y] = ring[at] as Pair
      const [px, py] = ring[before] as Pair
      if (y > lat !== py > lat && long < ((px - x) * (lat - y)) / (py - y) + x) inside = !inside
    }
  }
  return inside
}

/** Degrees of longitude from the west of the rings to their east. */
export function widthOf(rings: readonly Ring[]): number {
  let [west, east] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const ring of rings)
    for (const [long] of ring) {
      west = Math.min(west, long)
      east = Math.max(east, long)
    }
  return Math.max(0, east - west)
}

/**
 * The point under a pixel. `pixelOf` is the map's own way from points to pixels; ECharts' way back does not undo the
 * projection of 6.1.0. Projected degrees and pixels are in proportion, so two points tell the scale.
 */
export function pointUnder([x, y]: Pair, pixelOf: (point: Pair) => Pair): Point {
  const [one, other]: [Pair, Pair] = [
    [75, 10],
    [135, 50],
  ]
  const [from, to] = [MERCATOR.project(one), MERCATOR.project(other)]
  const [low, high] = [pixelOf(one), pixelOf(other)]
  const along = (axis: 0 | 1, pixel: number) =>
    from[axis] + ((pixel - low[axis]) / (high[axis] - low[axis])) * (to[axis] - from[axis])
  const [long, lat] = MERCATOR.unproject([along(0, x), along(1, y)])
  return { long: rounded(long), lat: rounded(lat) }
}

/** Mercator's, in degrees: shapes keep their angles, so a circle on the ground is one on the map. */
export const MERCATOR = {
  project: ([long, lat]: number[]): [number, number] => [
    long as number,
    -degrees(Math.log(Math.tan(Math.PI / 4 + radians(lat as number) / 2))),
  ],
  unproject: ([x, y]: number[]): [number, number] => [
    x as number,
    degrees(2 * Math.atan(Math.exp(radians(-(y as number)))) - Math.PI / 2),
  ],
}
