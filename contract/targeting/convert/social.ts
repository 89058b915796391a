import { outcome } from '../../outcome.ts'
import { CROWD_FIELDS as FIELD_OF_ROLE } from '../social/change.ts'
import { FIELDS } from '../social/fields.ts'
import { formOf } from '../social/form.ts'
import { savedTargeting } from '../social/save.ts'
import type { SocialForm, SocialTargeting } from '../social/schema.ts'
import { targetingWords } from '../social/words.ts'
import type { Conversion, CopyTarget } from './conversion.ts'

const CROWD_FIELDS = Object.values(FIELD_OF_ROLE)

/** A targeting of the social platform for another of its accounts: the crowds are the accounts' own. */
export function convertSocial(targeting: SocialTargeting, target: CopyTarget): Conversion {
  if (target.isSameAccount) return { targeting, changes: [] }
  const form = formOf(targeting)
  const has = new Set(target.crowds?.map((row) => row.retargeting_tags_id))
  const next: SocialForm = { ...form }
  for (const field of CROWD_FIELDS) {
    const kept = (form[field] ?? []).filter((id) => has.has(id))
    next[field] = kept.length > 0 ? kept : null
  }
  const before = targetingWords(form)
  const after = new Map(targetingWords(next).map((line) => [line.field, line.words]))
  const reason = outcome(target.crowds === null ? 'copy_crowds_unread' : 'copy_crowds_missing')
  const changes = before.flatMap(({ field, words }) => {
    const gone = words.filter((word) => !after.get(field)?.includes(word))
    return gone.length > 0 ? [{ label: FIELDS[field].label, words: gone, now: [], reason }] : []
  })
  for (const field of CROWD_FIELDS) {
    next[`${field}_local`] = (next[field] ?? []).flatMap(
      (id) => target.crowds?.find((row) => row.retargeting_tags_id === id) ?? [],
    )
  }
  return { targeting: savedTargeting(next), changes }
}
