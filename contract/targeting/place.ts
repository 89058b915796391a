import { z } from 'zod'
import { hasFewDecimals, PlatformId } from './common.ts'
import { type NameOf, named } from './names.ts'

/** The box of China in degrees, outside of which GCJ-02 is not defined. */
const CHINA = { west: 72.004, east: 137.8347, south: 0.8293, north: 55.8271 }
export const OUTSIDE_CHINA = `地点须在中国境内：经度 ${CHINA.west} 到 ${CHINA.east}，纬度 ${CHINA.south} 到 ${CHINA.north}`
const Longitude = z
  .number()
  .min(CHINA.west, OUTSIDE_CHINA)
  .max(CHINA.east, OUTSIDE_CHINA)
  .refine(hasFewDecimals, '经度最多 6 位小数')
const Latitude = z
  .number()
  .min(CHINA.south, OUTSIDE_CHINA)
  .max(CHINA.north, OUTSIDE_CHINA)
  .refine(hasFewDecimals, '纬度最多 6 位小数')
export const isInChina = ({ long, lat }: { long: number; lat: number }): boolean =>
  Longitude.safeParse(Number(long.toFixed(6))).success && Latitude.safeParse(Number(lat.toFixed(6))).success
const Name = z.string().max(200)

const CircleShape = {
  kind: z.literal('circle').describe('地图上的圆'),
  name: Name.describe('名称'),
  long: Longitude.describe('经度，GCJ-02，最多 6 位小数'),
  lat: Latitude.describe('纬度，GCJ-02，最多 6 位小数'),
  province: Name.optional().describe('省'),
  city: Name.optional().describe('市'),
  district: Name.optional().describe('区县'),
  street: Name.optional().describe('街道'),
  street_number: Name.optional().describe('门牌号'),
}
const BusinessDistrict = z.strictObject({
  kind: z.literal('business_district').describe('平台的商圈'),
  id: PlatformId.describe('商圈编号'),
  name: Name.describe('商圈名称'),
})

/** Metres around a place that a platform takes. */
export interface RadiusBounds {
  min: number
  max: number
}

/** A place on the map: a circle, or one of the platform's 商圈. */
export function placeOf({ min, max }: RadiusBounds) {
  const radius = z.int().min(min).max(max).describe(`半径，米，${min} 到 ${max}`)
  return z.discriminatedUnion('kind', [z.strictObject({ ...CircleShape, radius }), BusinessDistrict])
}
export type Place = z.output<ReturnType<typeof placeOf>>

/** A place with its radius: 上海 周边 3 公里. */
export const placeWords = (place: Place, districtOf?: NameOf<string>): string =>
  place.kind === 'circle'
    ? `${place.name} 周边 ${place.radius / 1000} 公里`
    : named(districtOf?.(place.id), place.name, place.id)
