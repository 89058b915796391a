import { Tooltip } from 'antd'
import type { CustomChild } from '#contract/audience.ts'
import { StatusDot } from '../../components/StatusDot.tsx'
import text from '../../components/text.module.css'
import { PlatformMark } from '../../domain/platform/PlatformMark.tsx'
import styles from './audience.module.css'
import { platformChips } from './push-words.ts'

/**
 * One chip for each platform that a crowd was pushed to, with the state that needs attention first. Two stand side by
 * side with shorter words: a list shows eight rows.
 */
export function PushChips({ audiences }: { audiences: readonly CustomChild[] }) {
  const chips = platformChips(audiences)
  if (chips.length === 0) return null
  return (
    <div className={styles.chips}>
      {chips.map(({ platform, accounts, words, short, tone, title }) => (
        <Tooltip key={platform} title={<span className={styles.chipTitle}>{title}</span>}>
          <span className={styles.chip}>
            <PlatformMark platform={platform} />
            {chips.length > 1 ? (
              <span role="img" aria-label={words} className={tone === 'failed' ? text.problem : undefined}>
                {short}
              </span>
            ) : (
              <>
                <StatusDot tone={tone}>{words}</StatusDot>
                {accounts > 1 && <span className={text.small}>×{accounts}</span>}
              </>
            )}
          </span>
        </Tooltip>
      ))}
    </div>
  )
}
