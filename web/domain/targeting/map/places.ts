import { findRegion, findText, type Readings } from '#contract/find-text.ts'
import { PLACES_MAX } from '#contract/targeting/common.ts'
import { isInChina, OUTSIDE_CHINA, type Place } from '#contract/targeting/place.ts'
import type { TagNode } from '#contract/targeting-tags.ts'
import { COUNTRY, type Crumb } from './crumbs.ts'
import { type Point, rounded } from './geometry.ts'
import type { Outline } from './outlines.ts'

export type Circle = Extract<Place, { kind: 'circle' }>

export const placesFull = `地点最多 ${PLACES_MAX} 个`

const isThere = ({ long, lat }: Point, places: readonly Place[]) =>
  places.some((place) => place.kind === 'circle' && place.long === rounded(long) && place.lat === rounded(lat))

/** Lines of coordinates as spreadsheets and maps copy them, each with a name or without, and how many cannot be taken. */
export function pastedPlaces(lines: readonly string[], places: readonly Place[]) {
  const taken: { point: Point; name: string }[] = []
  const counts = { repeated: 0, outside: 0, unread: 0, over: 0 }
  const seen = new Set<string>()
  for (const line of lines) {
    const [, long, lat, name = ''] = /^\s*(-?[\d.]+)[\s,，;；]+(-?[\d.]+)(?:[\s,，;；]+(.*))?$/u.exec(line) ?? []
    const point = long === undefined ? null : coordinatesIn(`${long},${lat}`)
    if (!point) counts.unread++
    else if (!isInChina(point)) counts.outside++
    else if (isThere(point, places) || seen.has(`${point.long} ${point.lat}`)) counts.repeated++
    else if (places.length + taken.length >= PLACES_MAX) counts.over++
    else {
      seen.add(`${point.long} ${point.lat}`)
      taken.push({ point, name: name.trim() })
    }
  }
  return { taken, ...counts }
}

/** Why no place can stand there; null if one can. */
export function refusalOf(point: Point, places: readonly Place[]): string | null {
  if (places.length >= PLACES_MAX) return placesFull
  if (isThere(point, places)) return '这个地点已经添加'
  return isInChina(point) ? null : OUTSIDE_CHINA
}

/** What a place is called that nobody named, after the smallest region that is known around it. */
export const placeName = ({ district, city, province }: Pick<Circle, 'district' | 'city' | 'province'>): string =>
  `${district ?? city ?? province ?? '地图'}地点`

/** 北京、天津、上海、重庆, by their administrative codes. */
const MUNICIPALITIES: ReadonlySet<string> = new Set(['110000', '120000', '310000', '500000'])

/** A circle around a point, named after the regions around it. */
export function circleAt(point: Point, radius: number, around: readonly Crumb[], given = ''): Circle {
  const [, province, city, district] = around.map(({ name }) => name)
  // A municipality's districts stand right below it.
  const isBelowMunicipality = around.length === 3 && MUNICIPALITIES.has(around[1]?.code ?? '')
  const names = isBelowMunicipality ? { province, city: province, district: city } : { province, city, district }
  return {
    kind: 'circle',
    name: given.trim() || `${around.at(-1)?.name ?? '地图'}地点`,
    long: rounded(point.long),
    lat: rounded(point.lat),
    radius,
    ...Object.fromEntries(Object.entries(names).filter(([, name]) => name !== undefined)),
  }
}

/** A circle elsewhere: what the regions around the old point were called is no longer true. */
export function movedTo(place: Circle, point: Point, around: readonly Crumb[]): Circle {
  const { name, radius } = place
  return circleAt(point, radius, around, name)
}

/** Two numbers in one text, as maps copy them: 116.397428,39.90923. */
export function coordinatesIn(text: string): Point | null {
  const [long, lat, ...more] = text.split(/[\s,，;；]+/).filter((part) => part !== '')
  if (long === undefined || lat === undefined || more.length > 0) return null
  const point = { long: rounded(Number(long)), lat: rounded(Number(lat)) }
  return Number.isFinite(point.long) && Number.isFinite(point.lat) ? point : null
}

/** The point that was meant where longitude and latitude stand the wrong way round; null where they do not. */
export function unswapped({ long, lat }: Point): Point | null {
  const other = { long: lat, lat: long }
  return !isInChina({ long, lat }) && isInChina(other) ? other : null
}

/** 商圈 of the tree with the regions around each. */
export interface DistrictEntry {
  id: string
  name: string
  around: readonly { value: string; label: string }[]
}

/** The city and the part of it in which a district lies: many cities have a 鼓楼区. */
export const whereabouts = ({ around }: DistrictEntry): string =>
  around
    .slice(-2)
    .map(({ label }) => label)
    .join(' ')

/** Whether a district is meant: by its name, by a region around it, or by both, as in 上海 人民广场. */
export function isDistrictMeant({ name, around }: DistrictEntry, query: string, readings: Readings | null): boolean {
  const isMeant = (word: string) =>
    findText(name, word, readings) !== null || around.some(({ label }) => findRegion(label, word, readings) !== null)
  return isMeant(query) || query.trim().split(/\s+/).every(isMeant)
}

export function districtEntries(tree: readonly TagNode[]): DistrictEntry[] {
  const entries: DistrictEntry[] = []
  const walk = (node: TagNode, around: DistrictEntry['around']) => {
    if (node.level === 'BUSINESS_DISTRICT') entries.push({ id: node.value, name: node.label, around })
    else for (const child of node.children) walk(child, [...around, { value: node.value, label: node.label }])
  }
  for (const node of tree) walk(node, [])
  return entries
}

/** Whether two name the same region; one may be cut, as 广西 is of 广西壮族自治区. */
const isSameName = (one: string, other: string) => one.startsWith(other) || other.startsWith(one)

/**
 * Whether the 商圈 lie in a region of the map, given with those around it from the country down: by its code, or by all
 * their names where the platform has codes of its own. Many cities have a 鼓楼区.
 */
export function liesIn({ around }: DistrictEntry, path: readonly Crumb[]): boolean {
  const region = path.at(-1)
  if (around.some(({ value }) => value === region?.code)) return true
  return path
    .filter(({ code }) => code !== COUNTRY.code)
    .every(({ code, name }) => around.some(({ value, label }) => value === code || isSameName(label, name)))
}

/** A mark at a region for the chosen 商圈 inside it. */
export interface Mark {
  point: Point
  count: number
  names: string
}

/** `path`: to the region whose parts the outline has. */
export function marksOf(outline: Outline, path: readonly Crumb[], chosen: readonly DistrictEntry[]): Mark[] {
  return outline.features.flatMap(({ code, name, centre }) => {
    const inside = chosen.filter((entry) => liesIn(entry, [...path, { code, name }]))
    return inside.length === 0
      ? []
      : [{ point: centre, count: inside.length, names: inside.map((entry) => entry.name).join('、') }]
  })
}
