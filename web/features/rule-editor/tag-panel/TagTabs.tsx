import { type InputRef, Tabs } from 'antd'
import type { ReactNode, Ref } from 'react'
import { CROWD_TAG } from '#contract/rule.ts'
import { ATTRIBUTE_TAG, EVENT_TAG, TAG_TYPE_LABELS } from '#contract/tag.ts'
import styles from '../rule-editor.module.css'
import type { ShownTag } from '../state/shown-tags.ts'
import { HistoryPanel, TagPanel } from './TagPanel.tsx'

interface Props {
  advId: number
  /** The crowd on the canvas, which cannot use itself. */
  crowdId: number
  /** Tags in the rule, by `keyOfTag`. */
  used: ReadonlySet<string>
  isReadOnly: boolean
  hasHistory: boolean
  emptyAction?: ReactNode
  onPick?: (shown: ShownTag) => void
  onLoad?: (shown: ShownTag) => void
  /** The tab that is open; without it the tabs keep their own. */
  open?: { key: string; onChange: (key: string) => void; searchRef: Ref<InputRef> }
}

export const ATTRIBUTES_TAB = String(ATTRIBUTE_TAG)

/** The tags for rules: attributes, events and, in the workbench, history crowds. */
export function TagTabs({ crowdId, hasHistory, emptyAction, onLoad, open, ...panel }: Props) {
  const history = {
    key: String(CROWD_TAG),
    label: '历史人群',
    children: <HistoryPanel {...panel} crowdId={crowdId} {...(onLoad ? { onLoad } : {})} />,
  }
  return (
    <section className={styles.tags} aria-label="标签">
      <Tabs
        {...(open ? { activeKey: open.key, onChange: open.onChange } : {})}
        items={[
          {
            key: ATTRIBUTES_TAB,
            label: TAG_TYPE_LABELS[ATTRIBUTE_TAG],
            children: (
              <TagPanel
                {...panel}
                tagType={ATTRIBUTE_TAG}
                emptyAction={emptyAction}
                {...(open ? { searchRef: open.searchRef } : {})}
              />
            ),
          },
          {
            key: String(EVENT_TAG),
            label: TAG_TYPE_LABELS[EVENT_TAG],
            children: <TagPanel {...panel} tagType={EVENT_TAG} emptyAction={emptyAction} />,
          },
          ...(hasHistory ? [history] : []),
        ]}
      />
    </section>
  )
}
