import { Button, Checkbox, Flex, Input, Skeleton, Tag } from 'antd'
import { useState } from 'react'
import type { TagNode } from '#contract/targeting-tags.ts'
import { CLEARABLE } from '../../../components/clearable.tsx'
import { LoadError } from '../../../components/LoadError.tsx'
import text from '../../../components/text.module.css'
import { AgeNote } from '../../../domain/targeting/AgeNote.tsx'
import { SEARCH_DELAY_MS, useDebounced } from '../../../lib/debounced.ts'
import styles from '../editor.module.css'
import { useEditing } from '../editor-context.ts'
import { type Filtering, type KeywordType, useSearch } from '../use-dictionary.ts'

const SUGGESTED_MAX = 12

interface Props {
  type: KeywordType
  name: string
  window: Filtering
  /** Keywords that are chosen already. */
  chosen: ReadonlySet<string>
  /** What was chosen last; words near it are suggested. */
  near: { kind: 'category' | 'keyword'; id: string; name?: string | undefined } | null
  /** The platform knows keywords by their text. */
  areTexts: boolean
  onToggle: (keyword: TagNode) => void
}

function nearOf(last: Props['near'], areTexts: boolean): Filtering[number] {
  if (areTexts) return { field: 'near_word', values: [last?.name ?? last?.id ?? ''] }
  return { field: last?.kind === 'category' ? 'near_category' : 'near_keyword', values: [last?.id ?? ''] }
}

/** A search of the platform, and words near the one that was chosen last. */
export function KeywordList({ type, name, window, chosen, near: last, areTexts, onToggle }: Props) {
  const { isReadOnly } = useEditing()
  const [typed, setTyped] = useState('')
  const word = useDebounced(typed.trim(), SEARCH_DELAY_MS)
  const found = useSearch(type, [{ field: 'query_word', values: [word] }, ...window], word !== '')
  const near = useSearch(type, [nearOf(last, areTexts), ...window], last !== null)
  const suggested = (near.error ? [] : (near.data?.[type] ?? []))
    .filter(({ value }) => !chosen.has(value))
    .slice(0, SUGGESTED_MAX)
  const rows = found.data?.[type] ?? []
  return (
    <>
      <Input
        allowClear={CLEARABLE}
        value={typed}
        maxLength={50}
        aria-label={`搜索${name}关键词`}
        placeholder="输入关键词搜索"
        onChange={(event) => setTyped(event.target.value)}
      />
      {word === '' ? (
        <p className={text.hint}>输入一个词，平台会列出含有它的关键词，最多 50 个。</p>
      ) : found.error ? (
        <LoadError error={found.error} title="关键词搜索失败" onRetry={found.refetch} />
      ) : found.data === undefined ? (
        <Skeleton active title={false} paragraph={{ rows: 5 }} />
      ) : rows.length === 0 ? (
        <p className={text.hint}>平台没有含「{word}」的关键词</p>
      ) : (
        <>
          <AgeNote from={found.data} />
          <ul className={styles.keywords} aria-label={`${name}关键词`} aria-busy={found.isPlaceholderData}>
            {rows.map((keyword) => (
              <li key={keyword.value}>
                <Checkbox checked={chosen.has(keyword.value)} onChange={() => onToggle(keyword)}>
                  {keyword.label}
                </Checkbox>
                {keyword.num !== null && <Tag variant="filled">{keyword.num}</Tag>}
              </li>
            ))}
          </ul>
        </>
      )}
      {last && suggested.length > 0 && !isReadOnly && (
        <div className={styles.suggested}>
          <span className={text.small}>与「{last.name ?? last.id}」相关：</span>
          <Flex wrap gap={4}>
            {suggested.map((keyword) => (
              <Button key={keyword.value} size="small" type="dashed" onClick={() => onToggle(keyword)}>
                {keyword.label}
              </Button>
            ))}
          </Flex>
        </div>
      )}
    </>
  )
}
