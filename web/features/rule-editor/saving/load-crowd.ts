import type { QueryClient } from '@tanstack/react-query'
import type { DataOf } from '#contract/endpoint.ts'
import { emptyLeaf } from '#contract/rule.ts'
import { getRule, getRuleCrowd, type RuleCrowd } from '#contract/rule-crowd.ts'
import { queryOf } from '../../../lib/query.ts'
import { dayOf } from '../../../lib/zone.ts'
import type { Counted } from '../state/counts.ts'
import type { CrowdDocument } from '../state/editor-state.ts'
import { keyOfTag, shownTagsOf } from '../state/shown-tags.ts'
import type { ServerVersion } from './StaleDialog.tsx'

export interface LoadedCrowd {
  ruleCrowd: RuleCrowd
  rule: DataOf<typeof getRule>
}

/** Fetches a crowd and its rule. */
export async function loadCrowd(client: QueryClient, id: number): Promise<LoadedCrowd> {
  // The caller announces a failure; announcing these two calls would repeat it.
  const fresh = { staleTime: 0, meta: { silent: 'caller' as const } }
  const ruleCrowd = await client.fetchQuery({ ...queryOf(getRuleCrowd, { params: { id } }), ...fresh })
  const rule = await client.fetchQuery({ ...queryOf(getRule, { params: { rId: ruleCrowd.rId } }), ...fresh })
  return { ruleCrowd, rule }
}

export const documentOf = ({ ruleCrowd, rule }: LoadedCrowd): CrowdDocument => ({
  rule: rule.def ?? emptyLeaf('n1'),
  form: { name: ruleCrowd.name, day: dayOf(ruleCrowd.invalidTime), dirId: ruleCrowd.dirId },
})

export const countedOf = (rule: LoadedCrowd['rule']): Counted | null =>
  rule.def && {
    rule: rule.def,
    cnt: rule.cnt,
    countedAt: rule.counted_at,
    tags: new Map(rule.tags.map((tag) => [keyOfTag(tag), tag.count])),
  }

export const versionOf = (loaded: LoadedCrowd): ServerVersion => ({
  doc: documentOf(loaded),
  shownTags: shownTagsOf(loaded.rule),
  cnt: loaded.rule.cnt,
  countedAt: loaded.rule.counted_at,
  rId: loaded.ruleCrowd.rId,
  ver: loaded.ruleCrowd.ver,
})
