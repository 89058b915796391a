import { type InputRef, Tabs } from 'antd'
import type { ReactNode, Ref } from 'react'
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

export const ATTRIBUTES_TAB = '1'

/** The tags for rules: attributes, events and, in the workbench, history crowds. */
export function TagTabs({ crowdId, hasHistory, emptyAction, onLoad, open, ...panel }: Props) {
  const history = {
    key: '3',
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
            label: '属性标签',
            children: (
              <TagPanel
                {...panel}
                tagType={1}
                emptyAction={emptyAction}
                {...(open ? { searchRef: open.searchRef } : {})}
              />
            ),
          },
          { key: '2', label: '事件标签', children: <TagPanel {...panel} tagType={2} emptyAction={emptyAction} /> },
          ...(hasHistory ? [history] : []),
        ]}
      />
    </section>
  )
}
