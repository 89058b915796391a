import { WarningFilled } from '@ant-design/icons'
import { Tooltip } from 'antd'
import { sentenceOf } from '#contract/outcome.ts'
import type { PackageQuota } from '#contract/targeting/quota.ts'
import text from '../../components/text.module.css'
import { formatAgo, formatCount, formatTime } from '../../lib/format.ts'

/** How many targeting packages an account has of those it may have, and whether the platform could be read. */
export function PackagePlaces({ quota: { used, total, read_at, failed_at, fail_outcome } }: { quota: PackageQuota }) {
  const read = read_at === null ? null : `${formatAgo(read_at)}读取平台，在平台上建立的也计入`
  return (
    <>
      <Tooltip title={read}>
        <span className={total !== null && used >= total ? text.problem : text.nowrap}>
          {formatCount(used)}
          {total !== null && ` / ${formatCount(total)}`}
        </span>
      </Tooltip>
      {total === null && <div className={text.hint}>上限平台未公布</div>}
      {fail_outcome && (
        <Tooltip title={`${formatTime(failed_at)} 起读取失败：${sentenceOf(fail_outcome)}`}>
          <div className={text.nowrap}>
            <WarningFilled className={text.warning} /> 读取失败
          </div>
        </Tooltip>
      )}
    </>
  )
}
