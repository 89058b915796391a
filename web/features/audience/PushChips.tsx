import { Flex, Tooltip } from 'antd'
import type { CustomChild } from '#contract/audience.ts'
import { StatusDot } from '../../components/StatusDot.tsx'
import text from '../../components/text.module.css'
import { PlatformMark } from '../../domain/platform/PlatformMark.tsx'
import styles from './audience.module.css'
import { platformChips } from './push-words.ts'

/** One chip for each platform that a crowd was pushed to, with the state that needs attention first. */
export function PushChips({ audiences }: { audiences: readonly CustomChild[] }) {
  const chips = platformChips(audiences)
  if (chips.length === 0) return null
  return (
    <Flex vertical gap={2}>
      {chips.map(({ platform, accounts, words, tone, title }) => (
        <Tooltip key={platform} title={<span className={styles.chipTitle}>{title}</span>}>
          <span className={styles.chip}>
            <PlatformMark platform={platform} />
            <StatusDot tone={tone}>{words}</StatusDot>
            {accounts > 1 && <span className={text.small}>×{accounts}</span>}
          </span>
        </Tooltip>
      ))}
    </Flex>
  )
}
