import { Tooltip } from 'antd'
import { type PlatformCode, platformInfo } from '#contract/platform.ts'
import styles from './platform-mark.module.css'

/** A platform's one-character mark, with its name beside it or on hover. */
export function PlatformMark({ platform, withName = false }: { platform: PlatformCode; withName?: boolean }) {
  const { mark, name } = platformInfo(platform)
  const square = (
    <span role="img" aria-label={name} className={styles.mark}>
      {mark}
    </span>
  )
  if (!withName) return <Tooltip title={name}>{square}</Tooltip>
  return (
    <span className={styles.named}>
      {square}
      {name}
    </span>
  )
}
