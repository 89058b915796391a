import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CROWD_TAG, sentenceOf } from '#contract/rule.ts'
import { listTags } from '#contract/tag.ts'
import { queryOf } from '../../../lib/query.ts'
import { loadCrowd } from '../saving/load-crowd.ts'
import { type ShownTag, shownIn, shownTagsOf } from './shown-tags.ts'

/** The definition of a tag, or the rule of a history crowd, in words; null until it is known. */
export function useMeaning(advId: number, shown: ShownTag): string | null {
  const isCrowd = shown.tag_type === CROWD_TAG
  const client = useQueryClient()
  const tag = useQuery({
    ...queryOf(listTags, { query: { adv_id: advId, id: shown.id } }),
    enabled: !isCrowd,
    staleTime: 60_000,
    meta: { silent: 'optional' },
  })
  const crowd = useQuery({
    queryKey: ['rule of a history crowd', shown.id],
    queryFn: () => loadCrowd(client, shown.id),
    enabled: isCrowd && !shown.isUploaded,
    staleTime: 60_000,
    // An uploaded crowd in a saved rule is not known as one, and has no rule to load.
    retry: false,
    meta: { silent: 'optional' },
  })
  if (isCrowd) {
    if (shown.isUploaded) return '上传的人群'
    const rule = crowd.data?.rule
    if (!rule?.def) return null
    const known = shownTagsOf(rule)
    return sentenceOf(rule.def, (one) => shownIn(known, one).name)
  }
  return tag.data?.list.find((row) => row.id === shown.id)?.text ?? null
}
