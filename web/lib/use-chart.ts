import { type EChartsType, init } from 'echarts/core'
import { type RefObject, useEffect, useEffectEvent } from 'react'

/**
 * Makes a chart of ECharts in `frame`, as large as it, and puts it into `chart`. What it draws is set in an effect that
 * follows; `onClick` hears of clicks anywhere on it. Only code that is fetched later may use it: the library is large.
 */
export function useChart(
  frame: RefObject<HTMLDivElement | null>,
  chart: RefObject<EChartsType | null>,
  onClick?: (event: MouseEvent) => void,
): void {
  const clicked = useEffectEvent((event: MouseEvent) => onClick?.(event))
  useEffect(() => {
    if (!frame.current) return
    const own = init(frame.current)
    chart.current = own
    // The library's types know touches alone.
    own.getZr().on('click', ({ event }) => clicked(event as unknown as MouseEvent))
    const sizes = new ResizeObserver(() => own.resize())
    sizes.observe(frame.current)
    return () => {
      sizes.disconnect()
      own.dispose()
      chart.current = null
    }
  }, [frame, chart])
}
