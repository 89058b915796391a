import { Checkbox, Tag } from 'antd'
import { memo, useEffect } from 'react'
import { CROWD_LABELS, type CrowdLabel, type CrowdRow } from '#contract/targeting/five-tab/crowd-row.ts'
import text from '../../../components/text.module.css'
import { formatLarge } from '../../../lib/format.ts'
import { useRowsInSight } from '../../../lib/rows-in-sight.ts'
import { useSteady } from '../../../lib/steady.ts'
import styles from '../editor.module.css'

/** The next page is asked for this far above the end of the list, pixels. */
const AHEAD = 120
/** Pixels of a row of one line. */
const ROW = 30

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
  const { list, left, ...sight } = useRowsInSight({
    count: rows.length,
    total,
    height: ROW,
    keyOf: (index) => rows[index]?.retargeting_tags_id ?? '',
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
  return (
    <div ref={list} className={styles.crowds} onScroll={moreNearEnd}>
      <ul
        aria-label={name}
        aria-busy={isFetching}
        style={{ paddingBottom: isFetchingNextPage ? 0 : left }}
        onFocus={sight.onFocus}
      >
        {sight.rows.map(({ index, key, row: place }) => {
          const row = rows[index]
          if (!row) return null
          const { label, isDisabled } = stateOf(row)
          return (
            <li key={key} {...place}>
              <CrowdLine
                row={row}
                label={label}
                isChosen={chosen.includes(row.retargeting_tags_id)}
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
