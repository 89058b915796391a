import { draw } from './draw.ts'
import { latitudeSpan, metresBetween, type Point, pointNear } from './geometry.ts'
import { type Crowd, either, everyone, nobody, PEOPLE, put, without } from './population.ts'
import { type Region, regionOf, theCountry } from './regions.ts'

const KEYS = { home: 0x13, travels: 0x14, place: 0x15, point: 0x19, metres: 0x1a, direction: 0x1b }
const WHOLE = 2 ** 32
const TRAVELLERS = 0.08
/** Metres from one of a place's points within which people live. */
const NEAR_METRES = 3000

/** Places that hold no others: where people live and are. */
let leaves: readonly Region[] | null = null
function places(): readonly Region[] {
  const below = (region: Region): Region[] => (region.children.length === 0 ? [region] : region.children.flatMap(below))
  leaves ??= below(theCountry())
  return leaves
}
const homeOf = (person: number) => draw(KEYS.home, person) % places().length
const isTraveller = (person: number) => draw(KEYS.travels, person) / WHOLE < TRAVELLERS
const placeOf = (person: number) => (isTraveller(person) ? draw(KEYS.place, person) % places().length : homeOf(person))

/** The people who live in an area, and those who are there now. */
interface Whereabouts {
  home: Crowd
  there: Crowd
}

/** How people have to do with an area: they are there, live there, visit, or any of these. */
export const LOCATION_TYPES = ['CURRENT', 'HOME', 'TRAVEL', 'ALL'] as const
export type LocationType = (typeof LOCATION_TYPES)[number]

/** Those of an area who have to do with it in a way. */
export function ofType({ home, there }: Whereabouts, type: LocationType): Crowd {
  if (type === 'HOME') return home
  if (type === 'TRAVEL') return without(there, home)
  return type === 'ALL' ? either(there, home) : there
}

/** The people in places; the place of each counts with all that it holds. */
export function regionWhereabouts(codes: readonly string[]): Whereabouts {
  const index = new Map(places().map((place, no) => [place.code, no]))
  const wanted = new Set<number>()
  const add = (region: Region): void => {
    if (region.children.length > 0) region.children.forEach(add)
    else wanted.add(index.get(region.code) as number)
  }
  for (const code of codes) {
    const region = regionOf(code)
    if (region) add(region)
  }
  return {
    home: everyone((person) => wanted.has(homeOf(person))),
    there: everyone((person) => wanted.has(placeOf(person))),
  }
}
export const inRegions = (codes: readonly string[], type: LocationType): Crowd => ofType(regionWhereabouts(codes), type)

/** A circle on the map. */
export interface Circle {
  center: Point
  metres: number
}

/** People in the order of their latitudes, with their points. */
interface Located {
  people: Uint16Array
  lats: Float64Array
  points: readonly Point[]
}
let located: { home: Located; there: Located } | null = null

/** Where a person lives within a place, or is while travelling: more often at its first points, and close to them. */
function pointIn(place: number, person: number, key: number): Point {
  const { points } = places()[place] as Region
  const point = points[Math.floor(points.length * (draw(KEYS.point ^ key, person) / WHOLE) ** 2)] as Point
  const metres = (NEAR_METRES * draw(KEYS.metres ^ key, person)) / WHOLE
  return pointNear(point, metres, draw(KEYS.direction ^ key, person) / WHOLE)
}

function locatedBy(placeOfPerson: (person: number) => number, keyOf: (person: number) => number): Located {
  const all = Array.from({ length: PEOPLE }, (_, person) => ({
    person,
    point: pointIn(placeOfPerson(person), person, keyOf(person)),
  })).sort((a, b) => a.point[1] - b.point[1])
  return {
    people: Uint16Array.from(all, ({ person }) => person),
    lats: Float64Array.from(all, ({ point }) => point[1]),
    points: all.map(({ point }) => point),
  }
}

/** Adds the people inside a circle. */
function addInside(to: Crowd, { people, lats, points }: Located, { center, metres }: Circle): void {
  const span = latitudeSpan(metres)
  let [from, end] = [0, lats.length]
  while (from < end) {
    const middle = (from + end) >>> 1
    if ((lats[middle] as number) < center[1] - span) from = middle + 1
    else end = middle
  }
  for (let at = from; at < lats.length && (lats[at] as number) <= center[1] + span; at++) {
    if (metresBetween(center, points[at] as Point) <= metres) put(to, people[at] as number)
  }
}

/** The people in any of the circles. */
export function circleWhereabouts(circles: readonly Circle[]): Whereabouts {
  located ??= {
    home: locatedBy(homeOf, () => 0),
    // Someone who does not travel is at home.
    there: locatedBy(placeOf, (person) => (isTraveller(person) ? 0x100 : 0)),
  }
  const found = { home: nobody(), there: nobody() }
  for (const circle of circles) {
    addInside(found.home, located.home, circle)
    addInside(found.there, located.there, circle)
  }
  return found
}
