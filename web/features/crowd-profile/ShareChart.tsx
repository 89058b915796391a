import { theme } from 'antd'
import { BarChart } from 'echarts/charts'
import { DataZoomComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { type EChartsType, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { useChart } from '../../lib/use-chart.ts'
import styles from './crowd-profile.module.css'
import type { ProfileGroup } from './profile-words.ts'

use([BarChart, DataZoomComponent, GridComponent, LegendComponent, TooltipComponent, CanvasRenderer])

/** Tags that fit beside one another; of more, these are shown first and the rest can be moved into sight. */
const SHOWN_AT_ONCE = 20
/** Pixels of the axis of shares and the edges, between two names, and of a name in the narrowest window. */
const FRAME = 80
const GAP = 8
const NAME_MIN = 24

/** The shares of a category's tags among the crowd and among the base, side by side. */
export function ShareChart({
  group,
  names,
  label,
}: {
  group: ProfileGroup
  names: [crowd: string, base: string]
  label: string
}) {
  const { token } = theme.useToken()
  const frame = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType | null>(null)
  useChart(frame, chart)
  const [crowd, base] = names
  useEffect(() => {
    const { colorLink, colorTextTertiary, colorTextQuaternary, colorBorderSecondary, colorBgElevated, colorText } =
      token
    const percent = (share: number | null) => (share === null ? null : Math.round(share * 10_000) / 100)
    const isLong = group.values.length > SHOWN_AT_ONCE
    const beside = Math.min(group.values.length, SHOWN_AT_ONCE)
    const room = Math.max(NAME_MIN, Math.floor(((frame.current?.clientWidth ?? 0) - FRAME) / beside) - GAP)
    const bars = (name: string, color: string, data: (number | null)[]) => ({
      ...{ type: 'bar', name, barMaxWidth: 20, itemStyle: { color }, data },
    })
    chart.current?.setOption(
      {
        animation: false,
        grid: { left: 8, right: 16, top: 32, bottom: isLong ? 40 : 8, containLabel: true },
        legend: { top: 0, left: 0, textStyle: { color: colorText }, data: [`人群：${crowd}`, `对照：${base}`] },
        tooltip: {
          trigger: 'axis',
          backgroundColor: colorBgElevated,
          borderColor: colorBorderSecondary,
          textStyle: { color: colorText },
          valueFormatter: (value: number | null) => (value === null ? '--' : `${value}%`),
        },
        xAxis: {
          type: 'category',
          data: group.values.map(({ name }) => name),
          // Each tag has its name, as far as there is room.
          axisLabel: { color: colorTextTertiary, overflow: 'truncate', width: room, interval: 0 },
          axisLine: { lineStyle: { color: colorBorderSecondary } },
          axisTick: { show: false },
        },
        yAxis: {
          type: 'value',
          axisLabel: { color: colorTextTertiary, formatter: '{value}%' },
          splitLine: { lineStyle: { color: colorBorderSecondary } },
        },
        ...(isLong && {
          dataZoom: [{ type: 'slider', height: 16, bottom: 8, startValue: 0, endValue: SHOWN_AT_ONCE - 1 }],
        }),
        series: [
          bars(
            `人群：${crowd}`,
            colorLink,
            group.values.map(({ share }) => percent(share)),
          ),
          bars(
            `对照：${base}`,
            colorTextQuaternary,
            group.values.map(({ base_share }) => percent(base_share)),
          ),
        ],
      },
      true,
    )
  }, [group, crowd, base, token])
  return <div ref={frame} className={styles.chart} role="img" aria-label={label} />
}
