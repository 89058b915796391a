import type { CustomSeriesOption } from 'echarts/charts'
import type { Place } from '#contract/targeting/place.ts'
import { circleRing, MERCATOR } from './geometry.ts'
import type { Feature } from './outlines.ts'
import type { Mark } from './places.ts'

/** Colours of the theme. */
export interface MapColors {
  colorBgContainer: string
  colorBorder: string
  colorFillTertiary: string
  colorText: string
  colorPrimary: string
  colorWarning: string
  colorError: string
}

/** What every shape of a kind has on the canvas, beside the colours of the theme. */
const LOOKS = {
  area: { opacity: 0.22 },
  edge: { fill: 'none' },
  middle: { lineWidth: 2 },
  name: { fontSize: 11 },
  mark: { align: 'center' as const, verticalAlign: 'bottom' as const, fontSize: 11, padding: [3, 6], borderRadius: 4 },
}

/** The outline of a region as the background, all of it in view. */
export const geoOption = (map: string, colors: MapColors) => ({
  animation: false,
  geo: {
    map,
    roam: true,
    projection: MERCATOR,
    zoom: 1,
    center: undefined,
    scaleLimit: { min: 0.8, max: 4000 },
    top: 16,
    bottom: 16,
    left: 16,
    right: 16,
    // Circles are round.
    preserveAspect: true,
    // A geo component's own labels lie over each other.
    label: { show: false },
    itemStyle: { areaColor: colors.colorFillTertiary, borderColor: colors.colorBorder, borderWidth: 1 },
    emphasis: { label: { show: false }, itemStyle: { areaColor: colors.colorBorder } },
    select: { disabled: true },
  },
})

/** The regions' names, at their middles; one that would lie over another is left out until there is room. */
export const namesOption = (features: readonly Feature[], colors: MapColors): CustomSeriesOption => ({
  id: 'names',
  type: 'custom',
  coordinateSystem: 'geo',
  silent: true,
  z: 4,
  labelLayout: { hideOverlap: true },
  data: features.map(({ centre }) => [centre.long, centre.lat]),
  renderItem: ({ dataIndex }, api) => {
    const feature = features[dataIndex]
    if (!feature) return null
    const [cx, cy] = api.coord([feature.centre.long, feature.centre.lat]) as [number, number]
    return {
      type: 'circle',
      shape: { cx, cy, r: 0 },
      textContent: { type: 'text', style: { ...LOOKS.name, text: feature.name, fill: colors.colorText } },
      textConfig: { position: 'inside' },
    }
  },
})

/** Circles with their middles, and marks of 商圈. */
export function seriesOption(
  places: readonly Place[],
  chosen: number | null,
  marks: readonly Mark[],
  colors: MapColors,
): CustomSeriesOption[] {
  const circles = places.flatMap((place, index) =>
    place.kind === 'circle' ? [{ place, isChosen: index === chosen }] : [],
  )
  const rings = circles.map(({ place }) => circleRing(place, place.radius))
  return [
    {
      id: 'circles',
      type: 'custom',
      coordinateSystem: 'geo',
      silent: true,
      z: 5,
      data: circles.map(({ place }) => [place.long, place.lat]),
      renderItem: ({ dataIndex }, api) => {
        const circle = circles[dataIndex]
        if (!circle) return null
        const { place, isChosen } = circle
        const color = isChosen ? colors.colorWarning : colors.colorPrimary
        const [cx, cy] = api.coord([place.long, place.lat]) as [number, number]
        return {
          type: 'group',
          children: [
            {
              type: 'polygon',
              shape: { points: (rings[dataIndex] ?? []).map((pair) => api.coord(pair)) },
              style: { ...LOOKS.area, fill: color },
            },
            {
              type: 'polyline',
              shape: { points: (rings[dataIndex] ?? []).map((pair) => api.coord(pair)) },
              style: { ...LOOKS.edge, stroke: color, lineWidth: isChosen ? 2 : 1 },
            },
            {
              type: 'circle',
              shape: { cx, cy, r: isChosen ? 6 : 4 },
              style: { ...LOOKS.middle, fill: color, stroke: colors.colorBgContainer },
            },
          ],
        }
      },
    },
    {
      id: 'districts',
      type: 'custom',
      coordinateSystem: 'geo',
      silent: true,
      z: 6,
      data: marks.map(({ point }) => [point.long, point.lat]),
      renderItem: ({ dataIndex }, api) => {
        const mark = marks[dataIndex]
        if (!mark) return null
        const [x, y] = api.coord([mark.point.long, mark.point.lat]) as [number, number]
        const text = mark.count === 1 ? mark.names : `${mark.count} 个商圈`
        return {
          type: 'text',
          x,
          y: y - 12,
          style: { ...LOOKS.mark, text, fill: colors.colorBgContainer, backgroundColor: colors.colorError },
        }
      },
    },
  ]
}
