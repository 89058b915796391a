import type { Kysely } from 'kysely'
import { CROWD_TAG, type SubTag } from '#contract/rule.ts'
import type { SetVersion } from '../clickhouse/rule/evaluate.ts'
import { AppError } from '../errors.ts'
import type { Viewer } from '../http/viewer.ts'
import type { Database } from '../postgres/schema.ts'
import { allCrowds } from './all-crowds.ts'

/** A crowd with the version of its people. */
export interface CrowdSet {
  id: number
  kind: 'rule' | 'custom'
  name: string
  count: number
  counted_at: number
  version: number
}

const crowdsOf = (db: Kysely<Database>, ids: readonly number[]) =>
  allCrowds(db)
    .selectAll()
    .where('id', 'in', [...ids])
    .execute()

/** Crowds of one advertiser, of both kinds, in the given order. Unknown, foreign and uncounted ones are refused. */
export async function crowdSets(
  db: Kysely<Database>,
  viewer: Viewer,
  ids: readonly number[],
): Promise<{ adv_id: number; crowds: CrowdSet[] }> {
  const rows = await crowdsOf(db, ids)
  const [first] = rows
  const crowds = ids.map((id) => {
    const row = rows.find((one) => one.id === id)
    if (!row || row.adv_id !== first?.adv_id || !viewer.isMember(row.adv_id)) throw unknownCrowd()
    const { name, kind, version, count, counted_at } = row
    if (version === 0 || count === null || counted_at === null) throw new AppError('crowdNoResult', { name })
    return { id, kind, name, version, count, counted_at }
  })
  if (!first) throw unknownCrowd()
  return { adv_id: first.adv_id, crowds }
}

/** Whose crowd it is and what it is called. Refuses unknown and foreign ones; one without a result is seen. */
export async function mustSeeCrowd(db: Kysely<Database>, viewer: Viewer, id: number) {
  const [row] = await crowdsOf(db, [id])
  if (!row || !viewer.isMember(row.adv_id)) throw unknownCrowd()
  const { adv_id, kind, name } = row
  return { adv_id, kind, name }
}

const unknownCrowd = () => new AppError('notFound', { what: '人群' })

export const versionOf = ({ id, version, count }: CrowdSet): SetVersion => ({ kind: 'crowd', id, version, count })
export const subTagOf = ({ id }: { id: number }): SubTag => ({ id, tag_type: CROWD_TAG })
