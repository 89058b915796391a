import { theme } from 'antd'
import { LineChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { type EChartsType, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { formatCount, formatLarge, formatTime } from '../../lib/format.ts'
import { useChart } from '../../lib/use-chart.ts'
import styles from './crowd-profile.module.css'
import type { Size } from './size-changes.ts'

use([LineChart, GridComponent, TooltipComponent, CanvasRenderer])

/** Sizes over time, as steps: a crowd keeps its people until it is computed again. */
export function SizeChart({ sizes }: { sizes: readonly Size[] }) {
  const { token } = theme.useToken()
  const frame = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType | null>(null)
  useChart(frame, chart)
  useEffect(() => {
    const { colorPrimary, colorTextTertiary, colorBorderSecondary, colorBgElevated, colorText } = token
    chart.current?.setOption(
      {
        animation: false,
        grid: { left: 8, right: 24, top: 16, bottom: 8, containLabel: true },
        tooltip: {
          trigger: 'axis',
          backgroundColor: colorBgElevated,
          borderColor: colorBorderSecondary,
          textStyle: { color: colorText },
          formatter: ([point]: { value: [number, number] }[]) =>
            point ? `${formatTime(point.value[0] / 1000)}<br>${formatCount(point.value[1])} 人` : '',
        },
        xAxis: {
          type: 'time',
          axisLabel: {
            color: colorTextTertiary,
            hideOverlap: true,
            // In the time zone of the deployment, as everywhere: the month and day, then the time.
            formatter: (at: number) => formatTime(at / 1000).slice(5, 16),
          },
        },
        yAxis: {
          type: 'value',
          minInterval: 1,
          axisLabel: { color: colorTextTertiary, formatter: (count: number) => formatLarge(count) },
          splitLine: { lineStyle: { color: colorBorderSecondary } },
        },
        series: [
          {
            ...{ type: 'line', step: 'end', symbolSize: 6, color: colorPrimary },
            data: sizes.map(({ counted_at, count }) => [counted_at * 1000, count]),
          },
        ],
      },
      true,
    )
  }, [sizes, token])
  const [first, last] = [sizes[0], sizes.at(-1)]
  const label = `人数从 ${formatCount(first?.count)} 到 ${formatCount(last?.count)}`
  return <div ref={frame} className={styles.chart} role="img" aria-label={label} />
}
