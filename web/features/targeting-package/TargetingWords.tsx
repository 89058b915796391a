import { Descriptions, Flex } from 'antd'
import { packageLines } from '#contract/targeting/lines.ts'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import { Tags } from '../../components/Tags.tsx'
import text from '../../components/text.module.css'
import { useRegionNames } from '../../domain/targeting/use-region-names.ts'
import styles from './targeting-package.module.css'

interface Props {
  platform: PackageCode
  targeting: Record<string, unknown>
  /** Whose platform names the regions. */
  accountId: number
}

/** A targeting in words: one line for each field that restricts it, under the tabs of the editor. */
export function TargetingWords({ platform, targeting, accountId }: Props) {
  const lines = packageLines(platform, targeting, useRegionNames(accountId, targeting))
  if (lines.length === 0) return <span className={text.secondary}>不限：面向所有人</span>
  return (
    <Flex vertical gap={12}>
      {[...Map.groupBy(lines, ({ tabLabel }) => tabLabel)].map(([title, ofTab]) => (
        <Descriptions
          key={title}
          size="small"
          bordered
          className={styles.words ?? ''}
          column={1}
          title={title}
          items={ofTab.map(({ field, label, words, isWithdrawn }) => ({
            key: field,
            label,
            children: (
              <Tags words={words}>{isWithdrawn && <span className={text.small}>平台已停用，不会发送</span>}</Tags>
            ),
          }))}
        />
      ))}
    </Flex>
  )
}
