import { draw } from './draw.ts'
import type { Point } from './geometry.ts'
import { type Region, theCountry } from './regions.ts'
import type { Circle } from './whereabouts.ts'

/** A 商圈: a circle inside a place that holds no other places. */
export interface BusinessDistrict extends Circle {
  id: string
  name: string
  /** The code of the district, or of the city without districts. */
  region: string
  center: Point
}

/** How many each district has; a city without districts has more. */
const EACH = 2
const EACH_CITY = 6
const RADII = [800, 1200, 1500, 2000]
const NAMES = ['万达广场', '人民广场', '步行街', '火车站', '大学城', '科技园', '老城', '新天地', '体育中心', '会展中心']
/** Their ids are the code of the place and two digits. */
const idOf = (code: string, no: number) => `${code}${String(no + 1).padStart(2, '0')}`

const shortName = (name: string) => name.replace(/(特别行政区|地区|林区|[省市区县旗])$/, '')

function madeIn({ code, name, level, points }: Region): BusinessDistrict[] {
  const first = draw(Number(code), 0x31) % NAMES.length
  return points.slice(0, level === 'DISTRICT' ? EACH : EACH_CITY).map((center, no) => ({
    id: idOf(code, no),
    name: `${shortName(name)}${NAMES[(first + no * 3) % NAMES.length]}`,
    region: code,
    center,
    metres: RADII[draw(Number(code), 0x32 + no) % RADII.length] as number,
  }))
}

let made: readonly BusinessDistrict[] | null = null
let byId: ReadonlyMap<string, BusinessDistrict> | null = null

/** All of them, in the order of the regions. */
export function businessDistricts(): readonly BusinessDistrict[] {
  const below = (region: Region): BusinessDistrict[] =>
    region.children.length > 0 ? region.children.flatMap(below) : madeIn(region)
  made ??= below(theCountry())
  return made
}

export function businessDistrictOf(id: string): BusinessDistrict | null {
  byId ??= new Map(businessDistricts().map((one) => [one.id, one]))
  return byId.get(id) ?? null
}
