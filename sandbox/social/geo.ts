import type { Json } from '../json.ts'
import { businessDistrictOf } from '../population/business-districts.ts'
import { both, type Crowd, either, nobody } from '../population/population.ts'
import { regionOf } from '../population/regions.ts'
import { type Circle, circleWhereabouts, ofType, regionWhereabouts } from '../population/whereabouts.ts'
import type { Generation } from './access.ts'
import { Refusal } from './envelope.ts'
import { booleanAt, codesAt, decimalAt, eachAt, idAt, listAt, objectAt, wholeAt } from './values.ts'

type Area = ReturnType<typeof regionWhereabouts>

/** How each way of being at a place follows from who lives there and who is there. */
const TYPES = {
  RECENTLY_IN: (area) => ofType(area, 'CURRENT'),
  VISITED_IN: (area) => ofType(area, 'ALL'),
  LIVE_IN: (area) => ofType(area, 'HOME'),
  TRAVEL_IN: (area) => ofType(area, 'TRAVEL'),
  CAA_RECENTLY_IN: (area) => ofType(area, 'CURRENT'),
  LIVE_AND_RECENTLY: ({ home, there }) => both(home, there),
  INTELLIGENCE: (area) => ofType(area, 'CURRENT'),
} satisfies Record<string, (area: Area) => Crowd>
type LocationType = keyof typeof TYPES
const NAMES = Object.keys(TYPES) as LocationType[]
const TYPES_MOST = 5
/** With 商圈 or places on the map, only these. */
const ON_MAP: readonly string[] = ['VISITED_IN', 'LIVE_IN']
const REGIONS_MOST = { 1: 400, 3: 2000 } as const
const DISTRICTS_MOST = 400
const CIRCLES_MOST = 2000
const RADIUS = { least: 200, most: 25_000 }
const DECIMALS = 6

export interface Geo {
  types: readonly string[]
  regions: readonly string[]
  districts: readonly string[]
  circles: number
  reach: () => Crowd
}

/** `geo_location`: any of the regions, 商圈 and circles, in any of the ways. */
export function geoAt(value: Json, path: string, generation: Generation): Geo {
  const geo = objectAt(value, path, [
    'location_types',
    'regions',
    'business_districts',
    'custom_locations',
    ...(generation === 3 ? ['geo_location_auto_audience'] : []),
  ])
  if (geo.location_types === undefined) throw new Refusal(18001, [`${path}.location_types`])
  const types = codesAt(geo.location_types, `${path}.location_types`, NAMES, TYPES_MOST)
  const given = (name: string, most: number) =>
    geo[name] === undefined ? [] : eachAt(geo[name], `${path}.${name}`, { most }, idAt)
  const regions = given('regions', REGIONS_MOST[generation])
  const districts = given('business_districts', DISTRICTS_MOST)
  const circles =
    geo.custom_locations === undefined
      ? []
      : listAt(geo.custom_locations, `${path}.custom_locations`, { most: CIRCLES_MOST }).map((one, no) =>
          circleAt(one, `${path}.custom_locations[${no}]`),
        )
  if (geo.geo_location_auto_audience !== undefined) {
    booleanAt(geo.geo_location_auto_audience, `${path}.geo_location_auto_audience`)
  }
  if (regions.length + districts.length + circles.length === 0) {
    throw new Refusal(
      18001,
      ['regions', 'business_districts', 'custom_locations'].map((name) => `${path}.${name}`),
    )
  }
  const unknown = regions.find((id) => !regionOf(id))
  if (unknown) throw new Refusal(31002, [`${path}.regions`], unknown)
  const found = districts.map((id) => {
    const district = businessDistrictOf(id)
    if (!district) throw new Refusal(31002, [`${path}.business_districts`], id)
    return district
  })
  const isOnMap = found.length + circles.length > 0
  if (isOnMap && types.some((type) => !ON_MAP.includes(type))) throw new Refusal(31002, [`${path}.location_types`])
  return {
    types,
    regions,
    districts,
    circles: circles.length,
    reach: () => {
      const areas = [regionWhereabouts(regions), circleWhereabouts([...found, ...circles])]
      return areas.flatMap((area) => types.map((type) => TYPES[type](area))).reduce(either, nobody())
    },
  }
}

function circleAt(value: Json, path: string): Circle {
  const { longitude, latitude, radius } = objectAt(value, path, ['longitude', 'latitude', 'radius'])
  for (const [name, one] of Object.entries({ longitude, latitude, radius })) {
    if (one === undefined) throw new Refusal(18001, [`${path}.${name}`])
  }
  return {
    center: [
      decimalAt(longitude as Json, `${path}.longitude`, -180, 180, DECIMALS),
      decimalAt(latitude as Json, `${path}.latitude`, -90, 90, DECIMALS),
    ],
    metres: wholeAt(radius as Json, `${path}.radius`, RADIUS.least, RADIUS.most),
  }
}
