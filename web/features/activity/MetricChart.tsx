import { theme } from 'antd'
import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { type EChartsType, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useEffectEvent, useRef } from 'react'
import { metricWords, shortMetricWords } from '#contract/activity/metric-words.ts'
import { useChart } from '../../lib/use-chart.ts'
import styles from './activity.module.css'
import type { ValueFormat } from './MetricValue.tsx'

use([BarChart, LineChart, GridComponent, LegendComponent, TooltipComponent, CanvasRenderer])

export interface ChartMetric {
  label: string
  format: ValueFormat
  /** One for each name; null is drawn as a gap. */
  values: readonly (number | null)[]
}

interface Props {
  kind: 'bar' | 'line'
  names: readonly string[]
  /** At most two: each has an axis of its own. */
  metrics: readonly ChartMetric[]
  label: string
  className: string | undefined
  /** The place of the name that is pointed at elsewhere on the page; null: none. */
  pointed?: number | null
  /** Hears which one the pointer is over here. */
  onPoint?: (at: number | null) => void
}

/** About what the axes take of the width. */
const AXES_PX = 120

/** What the library says of the pointer over a chart with axes. */
interface AxisPointer {
  axesInfo?: readonly { value?: number }[]
}

/** One or two metrics over activities or days. */
export function MetricChart({ kind, names, metrics, label, className, pointed = null, onPoint }: Props) {
  const { token } = theme.useToken()
  const frame = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType | null>(null)
  useChart(frame, chart)
  useEffect(() => {
    const { colorLink, colorWarning, colorTextTertiary, colorBorderSecondary, colorBgElevated, colorText } = token
    // Money is drawn in yuan, so that the axis has round numbers.
    const drawn = ({ format }: ChartMetric, value: number | null) =>
      value === null ? null : format === 'money' ? value / 100 : value
    const axisWords = (metric: ChartMetric, value: number) =>
      shortMetricWords(metric.format, metric.format === 'money' ? Math.round(value * 100) : value)
    const wide = (chart.current?.getWidth() ?? 0) - AXES_PX
    chart.current?.setOption(
      {
        animation: false,
        grid: { left: 8, right: 8, top: 40, bottom: 8, containLabel: true },
        legend: { top: 0, textStyle: { color: colorText } },
        tooltip: {
          trigger: 'axis',
          backgroundColor: colorBgElevated,
          borderColor: colorBorderSecondary,
          textStyle: { color: colorText },
          // As plain text: a name may hold signs of HTML.
          renderMode: 'richText',
          formatter: (points: { dataIndex: number }[]) => {
            const at = points[0]?.dataIndex ?? 0
            const lines = metrics.map((one) => `${one.label} ${metricWords(one.format, one.values[at] ?? null)}`)
            return [names[at] ?? '', ...lines].join('\n')
          },
        },
        xAxis: {
          type: 'category',
          data: [...names],
          axisLabel: {
            color: colorTextTertiary,
            // Each bar has its name; days between two others go without.
            ...(kind === 'bar'
              ? {
                  interval: 0,
                  width: wide / names.length,
                  overflow: 'break',
                  lineHeight: 16,
                  height: 48,
                  lineOverflow: 'truncate',
                }
              : { width: 96, overflow: 'truncate', hideOverlap: true }),
          },
          axisLine: { lineStyle: { color: colorBorderSecondary } },
          axisTick: { show: false },
        },
        yAxis: metrics.map((metric, at) => ({
          type: 'value',
          position: at === 0 ? 'left' : 'right',
          // Otherwise small counts have several ticks with the same words.
          ...(metric.format === 'count' && { minInterval: 1 }),
          axisLabel: { color: colorTextTertiary, formatter: (value: number) => axisWords(metric, value) },
          splitLine: { show: at === 0, lineStyle: { color: colorBorderSecondary } },
        })),
        series: metrics.map((metric, at) => ({
          name: metric.label,
          type: kind,
          yAxisIndex: at,
          barMaxWidth: 28,
          // The centre of the usual ring is white in the dark, too.
          symbol: 'circle',
          symbolSize: 6,
          itemStyle: { color: at === 0 ? colorLink : colorWarning },
          data: metric.values.map((value) => drawn(metric, value)),
        })),
      },
      true,
    )
  }, [kind, names, metrics, token])
  const point = useEffectEvent((at: number | null) => onPoint?.(at))
  useEffect(() => {
    const own = chart.current
    own?.on('updateAxisPointer', (event) => point((event as AxisPointer).axesInfo?.[0]?.value ?? null))
    own?.on('globalout', () => point(null))
  }, [])
  useEffect(() => {
    const own = chart.current
    if (pointed !== null) {
      // By its place: a day without a value has no point that could be named.
      const x = own?.convertToPixel({ xAxisIndex: 0 }, pointed)
      own?.dispatchAction({ type: 'showTip', x, y: own.getHeight() / 2 })
    } else {
      own?.dispatchAction({ type: 'hideTip' })
      own?.dispatchAction({ type: 'updateAxisPointer', currTrigger: 'leave' })
    }
  }, [pointed])
  const isEmpty = metrics.every(({ values }) => values.every((value) => value === null))
  return (
    <div className={styles.chartFrame}>
      <div ref={frame} className={className} role="img" aria-label={label} />
      {isEmpty && <div className={styles.noValues}>没有数据</div>}
    </div>
  )
}
