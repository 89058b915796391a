import type { UseQueryResult } from '@tanstack/react-query'
import { Alert } from 'antd'
import { accountFullName } from '#contract/advertiser.ts'
import { platformInfo } from '#contract/platform.ts'
import type { PushCheck, StartedPush } from '#contract/push.ts'
import { QueryState } from '../../components/QueryState.tsx'
import { OutcomeActions } from '../../domain/outcome/OutcomeActions.tsx'
import type { CallError } from '../../lib/call.ts'
import { PushCheckView } from './PushCheckView.tsx'
import styles from './push.module.css'
import type { ChosenAccount } from './push-choice.ts'
import type { OfferedAccounts } from './use-push-choice.ts'

/** What a push would do on each chosen account, and why it was not started on some. */
export function PushChecks(props: {
  checks: readonly (ChosenAccount & { key: string; query: UseQueryResult<PushCheck, CallError> })[]
  refused: readonly StartedPush[]
  accounts: OfferedAccounts
  name: string
  /** null where no other account can be chosen. */
  onOtherAccount: ((key: string) => void) | null
}) {
  const { checks, refused, accounts, name, onOtherAccount } = props
  const nameOf = ({ cnt_type, account_id }: ChosenAccount) => {
    const known = accounts.loaded
      .find((one) => one.platform === cnt_type)
      ?.accounts.find((one) => one.id === account_id)
    const platform = platformInfo(cnt_type).name
    if (!known) return platform
    const remark = known.remark ? ` · ${known.remark}` : ''
    return `${platform}：${accountFullName(known.name, known.external_id ?? '')}${remark}`
  }
  return (
    <>
      {refused.map((one) => (
        <Alert
          key={`${one.cnt_type}-${one.account_id}`}
          type="error"
          showIcon
          title={`没有提交到${nameOf(one)}`}
          description={one.problem}
          action={<OutcomeActions outcomes={[one.problem_outcome]} inNewTab />}
          className={styles.alert}
        />
      ))}
      {checks.map(({ key, query, ...account }) => (
        <QueryState key={key} query={query} errorTitle={`推送检查失败：${nameOf(account)}`}>
          {(found) => (
            <PushCheckView
              check={found}
              name={name}
              account={checks.length > 1 ? nameOf(account) : null}
              isStale={query.isFetching}
              onOtherAccount={onOtherAccount && (() => onOtherAccount(key))}
            />
          )}
        </QueryState>
      ))}
    </>
  )
}
