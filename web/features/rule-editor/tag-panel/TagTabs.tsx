import { SearchOutlined } from '@ant-design/icons'
import { Input, type InputRef, Tabs } from 'antd'
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useDeferredValue,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { CROWD_TAG } from '#contract/rule.ts'
import { ATTRIBUTE_TAG, EVENT_TAG, TAG_TYPE_LABELS } from '#contract/tag.ts'
import { CLEARABLE } from '../../../components/clearable.tsx'
import styles from '../rule-editor.module.css'
import type { ShownTag } from '../state/shown-tags.ts'
import { FoundTags } from './FoundTags.tsx'
import { HistoryPanel, TagPanel } from './TagPanel.tsx'
import type { RowsHandle } from './TagRows.tsx'

/** Moves the keyboard to the search. */
export interface SearchHandle {
  focus(): void
}

interface Props {
  advId: number
  /** The crowd on the canvas, which cannot use itself. */
  crowdId: number
  /** Tags in the rule, by `keyOfTag`. */
  used: ReadonlySet<string>
  isReadOnly: boolean
  /** A page that only shows a rule has history crowds in the workbench alone. */
  hasHistory: boolean
  emptyAction?: ReactNode
  onPick?: (shown: ShownTag) => void
  onLoad?: (shown: ShownTag) => void
  search?: Ref<SearchHandle>
}

/** The tags for rules: attributes, events and history crowds, with one search over all of them. */
export function TagTabs({ emptyAction, search, ...props }: Props) {
  const { crowdId, hasHistory, onLoad, ...panel } = props
  const [typed, setTyped] = useState('')
  const keyword = useDeferredValue(typed.trim())
  const field = useRef<InputRef>(null)
  const rows = useRef<RowsHandle>(null)
  const focusField = () => field.current?.focus()
  useImperativeHandle(search, () => ({ focus: focusField }))
  const clear = () => {
    setTyped('')
    focusField()
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown' || !rows.current) return
    event.preventDefault()
    rows.current.enter()
  }

  const placeholder = hasHistory ? '搜索标签与历史人群' : '搜索标签'
  const history = {
    key: String(CROWD_TAG),
    label: '历史人群',
    children: <HistoryPanel {...panel} crowdId={crowdId} {...(onLoad ? { onLoad } : {})} />,
  }
  return (
    <section className={styles.tags} aria-label="标签">
      <div className={styles.tagSearch}>
        <Input
          ref={field}
          allowClear={CLEARABLE}
          prefix={<SearchOutlined />}
          placeholder={`${placeholder}，可输拼音`}
          aria-label={placeholder}
          value={typed}
          maxLength={100}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      {keyword !== '' && <FoundTags {...props} keyword={keyword} rows={rows} onLeave={focusField} onClear={clear} />}
      {/* Kept while a search is shown, so that open categories stay open. */}
      <div className={styles.tagTabs} hidden={keyword !== ''}>
        <Tabs
          items={[
            {
              key: String(ATTRIBUTE_TAG),
              label: TAG_TYPE_LABELS[ATTRIBUTE_TAG],
              children: <TagPanel {...panel} tagType={ATTRIBUTE_TAG} emptyAction={emptyAction} />,
            },
            {
              key: String(EVENT_TAG),
              label: TAG_TYPE_LABELS[EVENT_TAG],
              children: <TagPanel {...panel} tagType={EVENT_TAG} emptyAction={emptyAction} />,
            },
            ...(hasHistory ? [history] : []),
          ]}
        />
      </div>
    </section>
  )
}
