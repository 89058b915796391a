import { draw } from './draw.ts'

/** Degrees, GCJ-02. */
export type Point = readonly [long: number, lat: number]
/** A ring of points; a hole is a ring inside another. */
type Ring = readonly Point[]
export interface Outline {
  type: string
  coordinates: readonly Ring[] | readonly (readonly Ring[])[]
}

const WHOLE = 2 ** 32
const METRES_PER_DEGREE = 111_320
const EARTH_METRES = 6_371_008.8
/** Points tried for each that is wanted; narrow outlines get fewer points. */
const TRIES = 24

const ringsOf = ({ type, coordinates }: Outline): readonly Ring[] =>
  type === 'Polygon'
    ? (coordinates as readonly Ring[])
    : type === 'MultiPolygon'
      ? (coordinates as readonly (readonly Ring[])[]).flat()
      : []

/** Whether a point is inside: a line from it crosses the rings an odd number of times. */
function isInside(rings: readonly Ring[], [long, lat]: Point): boolean {
  let inside = false
  for (const ring of rings) {
    for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
      const [x, y] = ring[at] as Point
      const [px, py] = ring[before] as Point
      if (y > lat !== py > lat && long < ((px - x) * (lat - y)) / (py - y) + x) inside = !inside
    }
  }
  return inside
}

/** Points inside an outline, always the same for the same key; none for an outline without an area. */
export function pointsInside(outline: Outline, key: number, most: number): Point[] {
  const rings = ringsOf(outline)
  const all = rings.flat()
  if (all.length === 0) return []
  const [longs, lats] = [all.map(([long]) => long), all.map(([, lat]) => lat)]
  const bounds = (values: readonly number[]) =>
    values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)] as const, [
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ] as const)
  const [[west, east], [south, north]] = [bounds(longs), bounds(lats)]
  const points: Point[] = []
  for (let no = 0; no < most * TRIES && points.length < most; no++) {
    const point: Point = [
      rounded(west + ((east - west) * draw(key, 2 * no)) / WHOLE),
      rounded(south + ((north - south) * draw(key, 2 * no + 1)) / WHOLE),
    ]
    if (isInside(rings, point)) points.push(point)
  }
  return points
}

/** Six decimals, as platforms take them. */
const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6

/** The point so many metres away in a direction, a share of the full circle. */
export function pointNear([long, lat]: Point, metres: number, direction: number): Point {
  const angle = 2 * Math.PI * direction
  const north = (metres * Math.cos(angle)) / METRES_PER_DEGREE
  const east = (metres * Math.sin(angle)) / (METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180))
  return [long + east, lat + north]
}

/** Metres between two points along the earth's surface. */
export function metresBetween([long, lat]: Point, [otherLong, otherLat]: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const half = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2
  const h = half(otherLat - lat) + Math.cos(radians(lat)) * Math.cos(radians(otherLat)) * half(otherLong - long)
  return 2 * EARTH_METRES * Math.asin(Math.sqrt(h))
}

/** Degrees of latitude that so many metres cover at most. */
export const latitudeSpan = (metres: number): number => metres / (METRES_PER_DEGREE * 0.99)
