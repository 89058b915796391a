import { Descriptions, Flex, Tag } from 'antd'
import { TAB_ORDER, TABS } from '#contract/targeting/five-tab/fields.ts'
import { formOf } from '#contract/targeting/five-tab/form.ts'
import { fiveTabPlatform } from '#contract/targeting/five-tab/platforms.ts'
import { targetingWords } from '#contract/targeting/five-tab/words.ts'
import type { PackageCode } from '#contract/targeting-package.ts'
import text from '../../components/text.module.css'
import styles from './targeting-package.module.css'

/** A targeting in words: one line for each field that restricts it, under the tabs of the editor. */
export function TargetingWords({ platform, targeting }: { platform: PackageCode; targeting: Record<string, unknown> }) {
  const editor = fiveTabPlatform(platform)
  const lines = editor === null ? [] : targetingWords(editor, formOf(editor, targeting))
  if (lines.length === 0) return <span className={text.secondary}>不限：面向所有人</span>
  const tabs = TAB_ORDER.filter((tab) => lines.some((line) => line.tab === tab))
  return (
    <Flex vertical gap={12}>
      {tabs.map((tab) => (
        <Descriptions
          key={tab}
          size="small"
          bordered
          className={styles.words ?? ''}
          column={1}
          title={TABS[tab]}
          items={lines
            .filter((line) => line.tab === tab)
            .map(({ field, label, words, isWithdrawn }) => ({
              key: field,
              label,
              children: (
                <Flex wrap gap={4}>
                  {words.map((word) => (
                    <Tag key={word}>{word}</Tag>
                  ))}
                  {isWithdrawn && <span className={text.small}>平台已停用，不会发送</span>}
                </Flex>
              ),
            }))}
        />
      ))}
    </Flex>
  )
}
