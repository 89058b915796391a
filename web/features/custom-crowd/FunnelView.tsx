import { DownloadOutlined } from '@ant-design/icons'
import { Button, Dropdown, Typography } from 'antd'
import type { CrowdFile, Funnel } from '#contract/custom-crowd.ts'
import text from '../../components/text.module.css'
import { AccountId, AccountName } from '../../domain/platform/AccountName.tsx'
import { PlatformMark } from '../../domain/platform/PlatformMark.tsx'
import { formatAsOf, formatCount, formatShare } from '../../lib/format.ts'
import styles from './funnel.module.css'
import { accountSteps, crowdSteps, type Step } from './funnel-steps.ts'
import { malformedDownload } from './malformed-download.ts'

/** The funnel: the crowd's own steps across all columns, then one column per platform account. */
export function FunnelView(props: {
  funnel: Funnel
  files: readonly CrowdFile[]
  /** Shows only this audience's column. */
  childId: number | null
}) {
  const { funnel, files, childId } = props
  const accounts = funnel.accounts.filter((account) => childId === null || account.child_id === childId)
  const columns = accounts.map((account) => ({ account, steps: accountSteps(account) }))
  const width = Math.max(1, accounts.length)
  return (
    <div className={styles.scroll}>
      <table className={styles.funnel}>
        <caption className="visually-hidden">从行数到覆盖：每一步的数量、减少与原因</caption>
        <tbody>
          {crowdSteps(funnel).map((step) => (
            <tr key={step.key}>
              <th scope="row">{step.label}</th>
              <td colSpan={width}>
                <div className={styles.whole}>
                  <StepCell step={step} whole={funnel.lines} base="行数" files={files} />
                  {step.key === 'unique' && <div className={text.small}>{formatAsOf(funnel.counted_at)}</div>}
                </div>
              </td>
            </tr>
          ))}
          {accounts.length === 0 ? (
            <tr>
              <th scope="row">已发送</th>
              <td>
                <Typography.Text type="secondary">还没有推送到平台账户</Typography.Text>
              </td>
            </tr>
          ) : (
            <>
              <tr>
                <th scope="row">
                  <span className={accounts.length > 1 ? undefined : 'visually-hidden'}>{accounts.length} 个账户</span>
                </th>
                {columns.map(({ account }) => (
                  <th key={account.child_id} scope="col" className={styles.account}>
                    <span className={styles.accountName}>
                      <PlatformMark platform={account.cnt_type} />
                      <AccountName name={account.account_name} external_id={account.external_id} />
                    </span>
                    <div>
                      <AccountId external_id={account.external_id} />
                    </div>
                    <div className={text.small}>
                      {account.at === null ? '平台尚未返回结果' : formatAsOf(account.at)}
                      {account.unique !== funnel.unique && `，其版本有 ${formatCount(account.unique)} 个标识`}
                    </div>
                  </th>
                ))}
              </tr>
              {['sent', 'accepted', 'covered'].map((key, i) => (
                <tr key={key}>
                  <th scope="row">{columns[0]?.steps[i + 1]?.label}</th>
                  {columns.map(({ account, steps }) => {
                    const step = steps[i + 1]
                    return (
                      <td key={account.child_id}>
                        {step && <StepCell step={step} whole={account.unique} base="标识" files={[]} />}
                      </td>
                    )
                  })}
                </tr>
              ))}
            </>
          )}
        </tbody>
      </table>
    </div>
  )
}

/** `base`: what the shares are of, `whole` of them. */
function StepCell(props: { step: Step; whole: number; base: string; files: readonly CrowdFile[] }) {
  const { step, whole, base, files } = props
  const share = step.value === null || whole === 0 ? 0 : Math.min(1, step.value / whole)
  return (
    <>
      <div className={styles.value}>
        <b>{formatCount(step.value)}</b>
        {step.key !== 'lines' && step.value !== null && (
          <span className={text.small}>
            {base}的 {formatShare(step.value, whole)}
          </span>
        )}
      </div>
      <div className={styles.bar} aria-hidden>
        <span style={{ width: `${share * 100}%` }} />
      </div>
      {(step.losses.length > 0 || step.gain > 0) && (
        <ul className={styles.losses}>
          {step.losses.map((loss) => (
            <li key={loss.key}>
              {loss.reason} <span className={styles.minus}>−{formatCount(loss.count)}</span>
              {loss.key === 'malformed' && <MalformedDownload files={files} />}
            </li>
          ))}
          {step.gain > 0 && <li>平台按用户统计，多出 +{formatCount(step.gain)}</li>}
        </ul>
      )}
    </>
  )
}

/** Downloads malformed lines; with several files a menu chooses one. */
function MalformedDownload({ files }: { files: readonly CrowdFile[] }) {
  const held = files.flatMap((file) => {
    const download = malformedDownload(file)
    return download.kind === 'none' ? [] : [{ file, download }]
  })
  const [only] = held
  if (!only) return null
  const label = '下载无效行'
  if (held.length === 1) {
    const { download } = only
    return (
      <Button
        type="link"
        size="small"
        icon={<DownloadOutlined />}
        title={download.hint}
        {...(download.kind === 'kept' ? { onClick: download.save } : { href: download.href, download: true })}
      >
        {label}
      </Button>
    )
  }
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: held.map(({ file, download }) => {
          const words = `${file.name}：${formatCount(download.lines)} 行`
          return download.kind === 'kept'
            ? { key: file.id, label: words, onClick: download.save }
            : {
                key: file.id,
                label: (
                  <a href={download.href} download>
                    {words}
                  </a>
                ),
              }
        }),
      }}
    >
      <Button type="link" size="small" icon={<DownloadOutlined />}>
        {label}
      </Button>
    </Dropdown>
  )
}
