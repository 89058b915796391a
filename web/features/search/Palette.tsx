import { LoadingOutlined, SearchOutlined } from '@ant-design/icons'
import { Input, Modal, Typography } from 'antd'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { type Entry, matching, type Section } from './entries.ts'
import styles from './Palette.module.css'
import { useFound } from './use-found.tsx'

interface Props {
  isOpen: boolean
  onClose: () => void
  /** Entries that need no call: pages and actions. */
  known: Section[]
  /** The current advertiser, whose results come first; opening another one's result switches to it. */
  advId: number | undefined
  chooseOnArrival: (advertiser: { id: number; name: string }, isSaid: boolean) => object
}

/** Search over pages, actions, crowds, tags, folders and people. Arrow keys select, Enter opens. */
export function Palette(props: Props) {
  return (
    <Modal
      open={props.isOpen}
      onCancel={props.onClose}
      footer={null}
      closable={false}
      width={600}
      className={styles.dialog}
      title={<span className="visually-hidden">搜索</span>}
      classNames={{ header: 'visually-hidden', container: styles.container }}
      destroyOnHidden
    >
      <Search {...props} />
    </Modal>
  )
}

function Search({ onClose, known, advId, chooseOnArrival }: Props) {
  const id = useId()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const found = useFound(query, advId, chooseOnArrival)

  const sections = [
    ...known.map((one) => ({ ...one, entries: matching(one.entries, query) })),
    ...found.sections,
  ].filter((one) => one.entries.length > 0)
  const entries = sections.flatMap((one) => one.entries)
  const active = Math.min(at, Math.max(0, entries.length - 1))
  const activeKey = entries[active]?.key

  const run = (entry: Entry) => {
    onClose()
    entry.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter may confirm a word of the input method.
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step && entries.length) {
      event.preventDefault()
      setAt((active + step + entries.length) % entries.length)
    }
    const chosen = entries[active]
    if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      run(chosen)
    }
  }

  return (
    <>
      <Input
        autoFocus
        variant="borderless"
        size="large"
        role="combobox"
        aria-label="搜索页面、操作、人群、标签、文件夹与用户"
        aria-expanded={entries.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={activeKey ? `${id}-${activeKey}` : undefined}
        placeholder="搜索页面、操作、人群、标签、文件夹与用户"
        prefix={found.isFetching ? <LoadingOutlined /> : <SearchOutlined />}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
        className={styles.input}
      />
      <Results
        id={id}
        sections={sections}
        activeKey={activeKey}
        onPoint={(entry) => setAt(entries.indexOf(entry))}
        onRun={run}
      />
      {entries.length === 0 && !found.isFetching && !found.error && (
        <Typography.Paragraph type="secondary" className={styles.none}>
          没有找到「{query.trim()}」
        </Typography.Paragraph>
      )}
      {found.error && (
        <Typography.Paragraph type="danger" role="alert" className={styles.failed}>
          人群与标签搜索失败：{found.error.message || '请求失败'}
        </Typography.Paragraph>
      )}
      <div className={styles.keys} aria-hidden>
        <span>↑ ↓ 选择</span>
        <span>Enter 打开</span>
        <span>Esc 关闭</span>
      </div>
    </>
  )
}

/** What was found, by section; the active entry is scrolled into view. The focus stays in the field above. */
function Results(props: {
  id: string
  sections: Section[]
  activeKey: string | undefined
  onPoint: (entry: Entry) => void
  onRun: (entry: Entry) => void
}) {
  const { id, sections, activeKey, onPoint, onRun } = props
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (activeKey) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [activeKey])
  return (
    <div ref={list} className={styles.list} id={`${id}-list`} role="listbox" aria-label="搜索结果">
      {sections.map((section) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options has no element of its own outside of a select
        <div key={section.title} role="group" aria-label={section.title}>
          <div className={styles.heading} aria-hidden>
            {section.title}
          </div>
          {section.entries.map((entry) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the combobox's above
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox, which names the active option
            <div
              key={entry.key}
              id={`${id}-${entry.key}`}
              role="option"
              aria-selected={entry.key === activeKey}
              className={styles.option}
              onMouseMove={() => onPoint(entry)}
              onClick={() => onRun(entry)}
            >
              <span className={styles.icon}>{entry.icon}</span>
              <span className={styles.title}>{entry.title}</span>
              {entry.place && <span className={styles.place}>{entry.place}</span>}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
