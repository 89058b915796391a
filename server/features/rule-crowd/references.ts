import type { Kysely } from 'kysely'
import { CROWD_TAG, type RuleNode, type SubTag, subTagsOf } from '#contract/rule.ts'
import type { SetVersion } from '../../clickhouse/rule/evaluate.ts'
import { AppError } from '../../errors.ts'
import type { Database } from '../../postgres/schema.ts'

/** A tag or crowd that a rule names, as it was when read. */
export interface Reference extends SubTag {
  name: string
  icon: string
  /** Category and name of a tag, or the name of a crowd. */
  path: string
  count: number | null
  counted_at: number | null
  /** Version of its members in the warehouse; 0 before the first. */
  version: number
  /** The last second in which a crowd may be used; null of tags. */
  invalid_time: number | null
}

/** Reads everything a rule names in one snapshot, so that chips and nodes agree. Refuses unknown and foreign ids. */
export async function referencesOf(db: Kysely<Database>, adv_id: number, rule: RuleNode): Promise<Reference[]> {
  const wanted = subTagsOf(rule)
  if (wanted.length === 0) return []
  const tagIds = wanted.filter((t) => t.tag_type !== CROWD_TAG).map((t) => t.id)
  const crowdIds = wanted.filter((t) => t.tag_type === CROWD_TAG).map((t) => t.id)
  // One statement is one snapshot: a tag rebuild changes many tags together.
  const rows = await db
    .selectFrom('tag')
    .innerJoin('tag_category', 'tag_category.id', 'tag.category_id')
    .select((eb) => [
      'tag.id',
      eb.ref('tag.tag_type').$castTo<SubTag['tag_type']>().as('tag_type'),
      'tag.name',
      eb.ref('tag_category.icon').$castTo<string>().as('icon'),
      'tag_category.name as category',
      'tag.count',
      'tag.counted_at',
      'tag.version',
      eb.lit(null).$castTo<number | null>().as('invalid_time'),
    ])
    .where('tag.adv_id', '=', adv_id)
    .where('tag.id', 'in', tagIds.length > 0 ? tagIds : [0])
    .unionAll(
      db
        .selectFrom('people')
        .select((eb) => [
          'people.id',
          eb.lit(CROWD_TAG).$castTo<SubTag['tag_type']>().as('tag_type'),
          'people.name',
          eb.val('crowd').$castTo<string>().as('icon'),
          eb.val('').$castTo<string>().as('category'),
          'people.magnitude as count',
          'people.computed_at as counted_at',
          'people.version',
          eb.ref('people.invalid_time').$castTo<number | null>().as('invalid_time'),
        ])
        .where('people.adv_id', '=', adv_id)
        .where('people.deleted_at', 'is', null)
        .where('people.id', 'in', crowdIds.length > 0 ? crowdIds : [0]),
    )
    // Uploaded crowds have ids from the same sequence, so a rule names them like rule crowds.
    .unionAll(
      db
        .selectFrom('custom_crowd')
        .select((eb) => [
          'custom_crowd.id',
          eb.lit(CROWD_TAG).$castTo<SubTag['tag_type']>().as('tag_type'),
          'custom_crowd.name',
          eb.val('crowd').$castTo<string>().as('icon'),
          eb.val('').$castTo<string>().as('category'),
          'custom_crowd.matched as count',
          'custom_crowd.counted_at',
          'custom_crowd.members_version as version',
          eb.lit(null).$castTo<number | null>().as('invalid_time'),
        ])
        .where('custom_crowd.adv_id', '=', adv_id)
        .where('custom_crowd.deleted_at', 'is', null)
        .where('custom_crowd.id', 'in', crowdIds.length > 0 ? crowdIds : [0]),
    )
    .execute()
  const found = new Map(rows.map((row) => [`${row.tag_type}:${row.id}`, row]))
  const unknown = wanted.filter((t) => !found.has(`${t.tag_type}:${t.id}`))
  if (unknown.length > 0) throw new AppError('ruleUnknownTag', { ids: unknown.map((t) => t.id).join('、') })
  return rows.map(({ category, ...row }) => ({ ...row, path: category ? `${category} / ${row.name}` : row.name }))
}

/** The members' version of each reference. A reference without one is an error that names it, never an empty set. */
export function setVersionsOf(references: readonly Reference[]): SetVersion[] {
  return references.map((reference) => {
    if (reference.version === 0 || reference.count === null) {
      throw new AppError(reference.tag_type === CROWD_TAG ? 'crowdNoResult' : 'tagNotReady', { name: reference.name })
    }
    return {
      kind: reference.tag_type === CROWD_TAG ? 'crowd' : 'tag',
      id: reference.id,
      version: reference.version,
      count: reference.count,
    }
  })
}

/** The time of the oldest count; null when there is none. */
export const oldestCount = (references: readonly Reference[]): number | null =>
  references.reduce<number | null>((oldest, { counted_at }) => {
    if (counted_at === null) return oldest
    return oldest === null ? counted_at : Math.min(oldest, counted_at)
  }, null)

/** The first crowd among the references that has expired. */
export const expiredAmong = (references: readonly Reference[], at: number): Reference | undefined =>
  references.find((reference) => reference.invalid_time !== null && reference.invalid_time < at)

/** The names along a cycle through `people_id`; null when there is none. */
export async function cycleThrough(db: Kysely<Database>, people_id: number, rule: RuleNode): Promise<string[] | null> {
  const uses = await db
    .selectFrom('crowd_use')
    .innerJoin('people', 'people.id', 'crowd_use.people_id')
    .select(['crowd_use.people_id', 'crowd_use.uses_id'])
    .where('crowd_use.uses_kind', '=', 'crowd')
    .where('people.deleted_at', 'is', null)
    .execute()
  const below = new Map<number, number[]>()
  for (const { people_id: from, uses_id } of uses) below.set(from, [...(below.get(from) ?? []), uses_id])
  const cameFrom = new Map<number, number>()
  const queue = subTagsOf(rule)
    .filter((t) => t.tag_type === CROWD_TAG)
    .map((t) => t.id)
  for (const id of queue) cameFrom.set(id, people_id)
  while (queue.length > 0) {
    const id = queue.shift() as number
    if (id === people_id) {
      const ids = [people_id]
      for (let at = cameFrom.get(people_id); at !== undefined && at !== people_id; at = cameFrom.get(at)) ids.push(at)
      const path = [...ids, people_id].reverse()
      const names = await db.selectFrom('people').select(['id', 'name']).where('id', 'in', path).execute()
      return path.map((one) => names.find((n) => n.id === one)?.name ?? String(one))
    }
    for (const next of below.get(id) ?? []) {
      if (cameFrom.has(next)) continue
      cameFrom.set(next, id)
      queue.push(next)
    }
  }
  return null
}
