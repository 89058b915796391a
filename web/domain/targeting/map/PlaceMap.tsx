import { theme } from 'antd'
import { CustomChart } from 'echarts/charts'
import { GeoComponent } from 'echarts/components'
import { type EChartsType, registerMap, use } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'
import { type PointerEvent, useEffect, useRef } from 'react'
import type { Place } from '#contract/targeting/place.ts'
import { useChart } from '../../../lib/use-chart.ts'
import { MERCATOR, type Pair, type Point, pointUnder, widthOf } from './geometry.ts'
import { geoOption, namesOption, seriesOption } from './map-option.ts'
import type { Outline } from './outlines.ts'
import styles from './place-field.module.css'
import type { Mark } from './places.ts'

use([GeoComponent, CustomChart, LabelLayout, CanvasRenderer])

/** A pointer this near to the middle of a place is on it, px. */
const NEAR_PX = 9
/** A circle that is located fills this share of the map's width. */
const LOCATED_SHARE = 0.25
const ZOOM = { step: 1.6, min: 1, max: 4000 }

export interface PlaceMapProps {
  /** Names the outline; another one starts with the whole of it in view. */
  code: string
  name: string
  outline: Outline
  places: readonly Place[]
  marks: readonly Mark[]
  chosen: number | null
  /** A place to bring into view; a new object each time it is asked for. */
  located: { point: Point; radius: number } | null
  isReadOnly: boolean
  onClick: (point: Point) => void
  onChoose: (index: number) => void
  onMove: (index: number, point: Point) => void
}

/** Outlines with the places on them: a click, and a place dragged elsewhere. */
export function PlaceMap(props: PlaceMapProps) {
  const { code, name, outline, places, marks, chosen, located, isReadOnly } = props
  const { token } = theme.useToken()
  const frame = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType | null>(null)
  useChart(frame, chart, (event) => props.onClick(pointOf(event)))
  const drag = useRef<{ index: number; at: Point; hasMoved: boolean } | null>(null)
  const { colorBgContainer, colorBorder, colorFillTertiary, colorText, colorPrimary, colorWarning, colorError } = token
  const colors = { colorBgContainer, colorBorder, colorFillTertiary, colorText, colorPrimary, colorWarning, colorError }

  const pixelOf = (pair: Pair): Pair => {
    const [x, y] = chart.current?.convertToPixel({ geoIndex: 0 }, pair) ?? []
    return [x ?? Number.NaN, y ?? Number.NaN]
  }
  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const box = frame.current?.getBoundingClientRect() ?? new DOMRect()
    return pointUnder([clientX - box.left, clientY - box.top], pixelOf)
  }
  const placeUnder = ({ clientX, clientY }: { clientX: number; clientY: number }): number => {
    const box = frame.current?.getBoundingClientRect() ?? new DOMRect()
    return places.findLastIndex((place) => {
      if (place.kind !== 'circle') return false
      const [x, y] = pixelOf([place.long, place.lat])
      return Math.hypot(x - clientX + box.left, y - clientY + box.top) <= NEAR_PX
    })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are new with the theme alone, which `token` stands for.
  useEffect(() => {
    registerMap(code, outline.json as never)
    const series = [namesOption(outline.features, colors), ...seriesOption(places, chosen, marks, colors)]
    chart.current?.setOption({ ...geoOption(code, colors), series }, true)
    // The places below come without a new outline.
  }, [code, outline, token])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    chart.current?.setOption({ series: seriesOption(places, chosen, marks, colors) })
  }, [places, chosen, marks, token, outline])

  useEffect(() => {
    if (!located) return
    const { long, lat } = located.point
    const degrees = (located.radius * 2) / (111_320 * Math.cos((lat * Math.PI) / 180))
    const width = widthOf(outline.features.flatMap(({ rings }) => rings))
    const zoom = Math.min(ZOOM.max, Math.max(ZOOM.min, (width * LOCATED_SHARE) / degrees))
    chart.current?.setOption({ geo: { center: MERCATOR.project([long, lat]), zoom } })
  }, [located, outline])

  const zoomBy = (factor: number) => {
    const [geo] = (chart.current?.getOption() as { geo?: { zoom?: number }[] } | undefined)?.geo ?? []
    const zoom = Math.min(ZOOM.max, Math.max(ZOOM.min, (geo?.zoom ?? 1) * factor))
    chart.current?.setOption({ geo: { zoom } })
  }

  /** Before the map hears of it, which would move itself. */
  const pressed = (event: PointerEvent<HTMLDivElement>) => {
    const index = placeUnder(event)
    const place = places[index]
    if (event.button !== 0 || place?.kind !== 'circle') return
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { index, at: { long: place.long, lat: place.lat }, hasMoved: false }
  }
  const dragged = (event: PointerEvent<HTMLDivElement>) => {
    const { current } = drag
    if (!current || isReadOnly) return
    const at = pointOf(event)
    drag.current = { ...current, at, hasMoved: true }
    const moved = places.map((place, index) => (index === current.index ? { ...place, ...at } : place))
    chart.current?.setOption({ series: seriesOption(moved, current.index, marks, colors) })
  }
  const released = () => {
    const { current } = drag
    drag.current = null
    if (!current) return
    props.onChoose(current.index)
    if (current.hasMoved) props.onMove(current.index, current.at)
  }

  return (
    <div className={styles.mapBox}>
      <div
        role="application"
        aria-label={`${name}地图。用键盘时，请从下级地区的列表进入，用坐标添加地点`}
        className={styles.map}
        onPointerDownCapture={pressed}
        onMouseDownCapture={(event) => drag.current && event.stopPropagation()}
        onPointerMove={dragged}
        onPointerUp={released}
        onPointerCancel={released}
      >
        <div ref={frame} className={styles.canvas} />
      </div>
      <fieldset className={styles.zoom} aria-label="缩放">
        <button type="button" aria-label="放大" onClick={() => zoomBy(ZOOM.step)}>
          ＋
        </button>
        <button type="button" aria-label="缩小" onClick={() => zoomBy(1 / ZOOM.step)}>
          －
        </button>
        <button type="button" aria-label="看全" onClick={() => chart.current?.setOption(geoOption(code, colors))}>
          ⤢
        </button>
      </fieldset>
    </div>
  )
}
