import { Flex } from 'antd'
import { type ReportStanding, reportStanding } from '#contract/activity/report-standing.ts'
import type { ReportAccount } from '#contract/report.ts'
import { StatusDot, type Tone } from '../../../components/StatusDot.tsx'
import text from '../../../components/text.module.css'
import { AccountId, AccountName } from '../../../domain/platform/AccountName.tsx'
import { PlatformMark } from '../../../domain/platform/PlatformMark.tsx'
import styles from './report-sync.module.css'
import { accountWords } from './sync-words.ts'

const TONES: Readonly<Record<ReportStanding['kind'], Tone>> = {
  unauthorised: 'idle',
  closed: 'waiting',
  failed: 'failed',
  retrying: 'waiting',
  awaited: 'running',
  reading: 'running',
  unread: 'idle',
  read: 'done',
}

/** How the reading of each account's reports stands, with the reason where it does not go on. */
export const AccountStates = ({ accounts }: { accounts: readonly ReportAccount[] }) => (
  <ul className={styles.accounts} aria-label="账户的同步状态">
    {accounts.map((account) => (
      <li key={account.account_id}>
        <Flex gap={6} align="center">
          <PlatformMark platform={account.platform} />
          <StatusDot tone={TONES[reportStanding(account).kind]}>
            <AccountName name={account.account_name} external_id={account.external_id} />
          </StatusDot>
          <AccountId external_id={account.external_id} />
        </Flex>
        {accountWords(account).map((words) => (
          <div key={words} className={text.small}>
            {words}
          </div>
        ))}
      </li>
    ))}
  </ul>
)
