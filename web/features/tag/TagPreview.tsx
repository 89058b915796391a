import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { previewTag } from '#contract/tag.ts'
import { definitionText, type FieldNames, type TagDefinition } from '#contract/tag-definition.ts'
import text from '../../components/text.module.css'
import { isFault } from '../../lib/call.ts'
import { SEARCH_DELAY_MS, useDebounced } from '../../lib/debounced.ts'
import { formatAsOf, formatCount } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './tag.module.css'

/** A definition in words with its current count; the last count is dimmed until the next arrives. */
export function TagPreview(props: { advId: number; definition: TagDefinition | null; names: FieldNames }) {
  const { advId, names } = props
  const definition = useDebounced(props.definition, SEARCH_DELAY_MS)
  const preview = useQuery({
    ...queryOf(previewTag, { body: { adv_id: advId, definition: definition ?? { kind: 'everyone' } } }),
    enabled: definition !== null,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    meta: { inPlace: true },
  })
  const isStale = preview.isFetching || definition !== props.definition
  return (
    <div className={styles.preview} aria-live="polite">
      <div className={styles.words}>
        {props.definition ? definitionText(props.definition, names) : '填写完整后，这里显示命中的人数。'}
      </div>
      {props.definition && (
        <div className={isStale ? text.stale : undefined}>
          {preview.error && !preview.data && !isStale ? (
            <span className={text.problem}>
              {isFault(preview.error, 'phonesHidden') ? '' : '暂时无法计算：'}
              {preview.error.message || '请求失败'}
            </span>
          ) : (
            <>
              <strong className={styles.large}>{formatCount(preview.data?.count)}</strong> 人{' '}
              <span className={text.hint}>{formatAsOf(preview.data?.counted_at)}</span>
            </>
          )}
        </div>
      )}
    </div>
  )
}
