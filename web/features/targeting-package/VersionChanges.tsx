import type { DataOf } from '#contract/endpoint.ts'
import { changedLines } from '#contract/targeting/compare.ts'
import { packageLines } from '#contract/targeting/lines.ts'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import type { listTargetingHistory } from '#contract/targeting-package.ts'
import text from '../../components/text.module.css'
import { isForever } from '../../domain/targeting/ExpiryField.tsx'
import { useRegionNames } from '../../domain/targeting/use-region-names.ts'
import { formatDay } from '../../lib/format.ts'
import styles from './targeting-package.module.css'

type Version = DataOf<typeof listTargetingHistory>['list'][number]

interface Props {
  platform: PackageCode
  accountId: number
  /** The version before it; null where it is kept no more, or there was none. */
  before: Version | null
  version: Version
}

const day = (seconds: number) => (isForever(seconds) ? '长期有效' : formatDay(seconds))
/** Words of one line. */
const SHOWN = 6
const some = (words: readonly string[]) =>
  words.length > SHOWN ? `${words.slice(0, SHOWN).join('、')} 等 ${words.length} 项` : words.join('、')

/** What a version changed, in words. */
export function VersionChanges({ platform, accountId, before, version }: Props) {
  const names = useRegionNames(accountId, before?.targeting, version.targeting)
  if (before === null) {
    const isFirst = version.kind === 'create' || version.kind === 'copy'
    return <span className={text.secondary}>{isFirst ? `名称：${version.name}` : '之前的版本已不再保留'}</span>
  }
  const lines = changedLines(
    packageLines(platform, before.targeting, names),
    packageLines(platform, version.targeting, names),
  )
  const isRenamed = before.name !== version.name
  const isOtherDay = before.invalidTime !== version.invalidTime
  const isMoved = before.dir_id !== null && version.dir_id !== null && before.dir_id !== version.dir_id
  // Versions from before their folder was kept: all else that they can differ in.
  if (lines.length === 0 && !isRenamed && !isOtherDay && !isMoved)
    return <span className={text.secondary}>存储路径</span>
  return (
    <div className={styles.changed}>
      {isRenamed && <Change label="名称" gone={before.name} come={version.name} />}
      {isMoved && <Change label="存储路径" gone={before.dir_name ?? ''} come={version.dir_name ?? ''} />}
      {isOtherDay && <Change label="失效时间" gone={day(before.invalidTime)} come={day(version.invalidTime)} />}
      {lines.map(({ label, gone, come }) => (
        <Change key={label} label={label} gone={some(gone)} come={some(come)} />
      ))}
    </div>
  )
}

const Change = ({ label, gone, come }: { label: string; gone: string; come: string }) => (
  <div>
    {label}：{gone && <del>{gone}</del>}
    {gone && come && ' → '}
    {come}
  </div>
)
