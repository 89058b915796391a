import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { Checkbox, Tag } from 'antd'
import { memo, useEffect, useRef, useState } from 'react'
import { CROWD_LABELS, type CrowdLabel, type CrowdRow } from '#contract/targeting/five-tab/crowd-row.ts'
import text from '../../../components/text.module.css'
import { formatLarge } from '../../../lib/format.ts'
import { useSteady } from '../../../lib/steady.ts'
import styles from '../editor.module.css'

/** The next page is asked for this far above the end of the list, pixels. */
const AHEAD = 120
/** Pixels of a row of one line, and how many are drawn beyond those seen and around the keyboard's. */
const ROW = 30
const SPARE = 6

interface Props {
  label: string
  rows: readonly CrowdRow[]
  /** How many there are with those of later pages. */
  total: number
  chosen: readonly string[]
  isReadOnly: boolean
  /** How a crowd stands here: what is written beside it, and whether it can be chosen. */
  stateOf: (row: CrowdRow) => { label: CrowdLabel | null; isDisabled: boolean }
  onToggle: (row: CrowdRow, isChosen: boolean) => void
  pages: { isFetching: boolean; isFetchingNextPage: boolean; hasNextPage: boolean; fetchNextPage: () => unknown }
}

/** The crowds of the pages loaded so far, of which those in sight are drawn; the next page is loaded near the end. */
export function CrowdRows({ label: name, rows, total, chosen, isReadOnly, stateOf, onToggle, pages }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const at = focused === null ? -1 : rows.findIndex((row) => row.retargeting_tags_id === focused)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW,
    getItemKey: (index) => rows[index]?.retargeting_tags_id ?? index,
    overscan: SPARE,
    // The row that has or had the keyboard stays when it is scrolled out of sight, with those that Tab goes to.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      if (at < 0) return shown
      const near = Array.from({ length: 2 * SPARE + 1 }, (_, spare) => at - SPARE + spare)
      return [...new Set([...shown, ...near])].filter((index) => rows[index]).sort((a, b) => a - b)
    },
  })
  const { isFetching, isFetchingNextPage, hasNextPage, fetchNextPage } = pages
  const moreNearEnd = () => {
    const { current } = list
    // In a tab that is not shown it has no height.
    if (!current?.clientHeight || !hasNextPage || isFetching) return
    if (current.scrollTop + current.clientHeight > current.scrollHeight - AHEAD) void fetchNextPage()
  }
  // A list that its rows do not fill cannot be scrolled.
  useEffect(moreNearEnd)
  const toggle = useSteady(onToggle)
  const shown = virtual.getVirtualItems()
  const left = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0)
  return (
    <div ref={list} className={styles.crowds} onScroll={moreNearEnd}>
      <ul
        aria-label={name}
        aria-busy={isFetching}
        // The rows that are not drawn leave their room.
        style={{ paddingBottom: isFetchingNextPage ? 0 : left }}
        onFocus={({ target }) => setFocused(target.closest('li')?.dataset.id ?? null)}
      >
        {shown.map(({ index, start }, no) => {
          const row = rows[index]
          if (!row) return null
          const id = row.retargeting_tags_id
          const { label, isDisabled } = stateOf(row)
          return (
            <li
              key={id}
              ref={virtual.measureElement}
              data-index={index}
              data-id={id}
              aria-setsize={total}
              aria-posinset={index + 1}
              style={{ marginTop: start - (shown[no - 1]?.end ?? 0) }}
            >
              <CrowdLine
                row={row}
                label={label}
                isChosen={chosen.includes(id)}
                isDisabled={isReadOnly || isDisabled}
                onToggle={toggle}
              />
            </li>
          )
        })}
        {isFetchingNextPage && (
          <li className={text.hint} style={{ marginTop: left }}>
            加载中
          </li>
        )}
      </ul>
    </div>
  )
}

interface LineProps {
  row: CrowdRow
  label: CrowdLabel | null
  isChosen: boolean
  isDisabled: boolean
  onToggle: (row: CrowdRow, isChosen: boolean) => void
}

/** What a row says, drawn again only if it changed. */
const CrowdLine = memo(({ row, label, isChosen, isDisabled, onToggle }: LineProps) => (
  <>
    <Checkbox checked={isChosen} disabled={isDisabled} onChange={() => onToggle(row, isChosen)}>
      {row.name}
    </Checkbox>
    {label && <Tag>{CROWD_LABELS[label]}</Tag>}
    <span className={text.small}>{formatLarge(row.cover_num ?? row.user_count)}</span>
  </>
))
