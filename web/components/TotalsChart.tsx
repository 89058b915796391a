import { theme } from 'antd'
import { BarChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { type EChartsType, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { formatCount } from '../lib/format.ts'
import { useChart } from '../lib/use-chart.ts'

use([BarChart, GridComponent, TooltipComponent, CanvasRenderer])

export interface TotalsChartProps {
  columns: readonly { day: string; total: number }[]
  /** What a column is: 一天, 一周 from a day on. */
  nameOf: (day: string) => string
  /** What is counted: 次, 条. */
  unit: string
  /** The last column is of a time that goes on. */
  isLastUnfinished: boolean
  label: string
  className: string | undefined
}

/** A total for each day, week, month or minute. */
export function TotalsChart({ columns, nameOf, unit, isLastUnfinished, label, className }: TotalsChartProps) {
  const { token } = theme.useToken()
  const frame = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType | null>(null)
  useChart(frame, chart)
  useEffect(() => {
    const { colorLink, colorPrimaryBgHover, colorTextTertiary, colorBorderSecondary, colorBgElevated, colorText } =
      token
    const isUnfinished = (index: number) => isLastUnfinished && index === columns.length - 1
    chart.current?.setOption(
      {
        animation: false,
        grid: { left: 8, right: 16, top: 16, bottom: 8, containLabel: true },
        tooltip: {
          trigger: 'axis',
          backgroundColor: colorBgElevated,
          borderColor: colorBorderSecondary,
          textStyle: { color: colorText },
          formatter: ([bar]: { dataIndex: number; value: number; name: string }[]) =>
            bar
              ? `${nameOf(bar.name)}${isUnfinished(bar.dataIndex) ? '（未完）' : ''}<br>${formatCount(bar.value)} ${unit}`
              : '',
        },
        xAxis: {
          type: 'category',
          data: columns.map(({ day }) => day),
          // The last date ends below its bar, and is not cut off.
          axisLabel: { color: colorTextTertiary, hideOverlap: true, alignMaxLabel: 'right' },
          axisLine: { lineStyle: { color: colorBorderSecondary } },
          axisTick: { show: false },
        },
        yAxis: {
          type: 'value',
          minInterval: 1,
          axisLabel: { color: colorTextTertiary },
          splitLine: { lineStyle: { color: colorBorderSecondary } },
        },
        series: [
          {
            type: 'bar',
            barMaxWidth: 28,
            data: columns.map(({ total }, index) => ({
              value: total,
              itemStyle: { color: isUnfinished(index) ? colorPrimaryBgHover : colorLink },
            })),
          },
        ],
      },
      true,
    )
  }, [columns, nameOf, unit, isLastUnfinished, token])
  return <div ref={frame} className={className} role="img" aria-label={label} />
}
