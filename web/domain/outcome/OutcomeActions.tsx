import { Flex } from 'antd'
import { accountToFree, actionOf, waitsUntil } from '#contract/outcome.ts'
import type { Action, AnyOutcome } from '#contract/outcomes/entry.ts'
import { RowAction } from '../../components/RowAction.tsx'
import text from '../../components/text.module.css'
import { embedding } from '../../lib/embedding.ts'
import { formatIn } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'

interface Props {
  outcomes: readonly (AnyOutcome | null)[]
  /** What the place can do itself; an action that it cannot do has no button. */
  on?: { retry?: (() => unknown) | undefined; chooseOtherAccount?: (() => unknown) | undefined }
  /** Offers a retry though no outcome asks for it: the state allows one. */
  isRetryable?: boolean
  /** Keeps an open dialog when a link is followed. */
  inNewTab?: boolean
  /** Called when a link is followed. */
  onFollow?: () => void
}

/** What a viewer can do about outcomes: a button or a link for each action that they ask for. */
export function OutcomeActions({ outcomes, on = {}, isRetryable = false, inNewTab = false, onFollow }: Props) {
  const asked = new Set<Action | null>(outcomes.map((outcome) => outcome && actionOf(outcome)))
  const until = asked.has('wait_until') ? latest(outcomes) : null
  const link = { inNewTab, ...(onFollow && { onFollow }) }
  const { retry, chooseOtherAccount } = on
  // A frame of another site shows one page.
  const hasLinks = embedding() === null
  const shown = [
    hasLinks && asked.has('reauthorise') && (
      <RowAction key="reauthorise" to={paths.advertiserData()} {...link}>
        重新授权
      </RowAction>
    ),
    retry && (isRetryable || asked.has('retry')) && (
      <RowAction key="retry" changes="current" onClick={() => void retry()}>
        重试
      </RowAction>
    ),
    hasLinks && asked.has('free_quota') && (
      <RowAction key="free" to={freeing(outcomes)} {...link}>
        去清理
      </RowAction>
    ),
    chooseOtherAccount && asked.has('choose_other_account') && (
      <RowAction key="choose" changes="current" onClick={() => void chooseOtherAccount()}>
        换一个账户
      </RowAction>
    ),
    until !== null && (
      <span key="wait" className={text.small}>
        {formatIn(until)}
      </span>
    ),
  ].filter(Boolean)
  if (shown.length === 0) return null
  return (
    <Flex gap="0 8px" wrap align="baseline">
      {shown}
    </Flex>
  )
}

/** The audiences of the account whose quota is full; an outcome of an earlier version does not name it. */
function freeing(outcomes: Props['outcomes']): string {
  const account_id = outcomes.flatMap((outcome) => (outcome && accountToFree(outcome)) ?? [])[0]
  return account_id === undefined ? paths.customCrowd() : paths.accountAudiences(account_id)
}

const latest = (outcomes: Props['outcomes']): number | null => {
  const times = outcomes.flatMap((outcome) => (outcome && waitsUntil(outcome)) ?? [])
  return times.length > 0 ? Math.max(...times) : null
}
