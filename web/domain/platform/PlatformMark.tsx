import { Tooltip, theme } from 'antd'
import { type PlatformCode, platformInfo } from '#contract/platform.ts'

/** A platform's one-character mark, with its name beside it or on hover. */
export function PlatformMark({ platform, withName = false }: { platform: PlatformCode; withName?: boolean }) {
  const { token } = theme.useToken()
  const { mark, name } = platformInfo(platform)
  const square = (
    <span
      role="img"
      aria-label={name}
      style={{
        display: 'inline-grid',
        placeItems: 'center',
        width: 20,
        height: 20,
        borderRadius: 4,
        border: `1px solid ${token.colorBorder}`,
        fontSize: 12,
        lineHeight: 1,
        color: token.colorTextSecondary,
        flex: 'none',
      }}
    >
      {mark}
    </span>
  )
  if (!withName) return <Tooltip title={name}>{square}</Tooltip>
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 8, whiteSpace: 'nowrap' }}>
      {square}
      {name}
    </span>
  )
}
