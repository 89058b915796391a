import { Tooltip } from 'antd'
import { formatCount, formatLarge } from '../lib/format.ts'

/** A number shortened with 万 and 亿, for list columns and axes; the exact number is shown on hover. */
export function LargeNumber({ value, title }: { value: number | null | undefined; title?: string }) {
  const short = formatLarge(value)
  const exact = formatCount(value)
  if (short === exact && !title) return <span>{short}</span>
  return (
    <Tooltip title={title ? `${exact} ${title}` : exact}>
      <span>{short}</span>
    </Tooltip>
  )
}
