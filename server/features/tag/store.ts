import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { ALL_PEOPLE_TAG, ATTRIBUTE_TAG, type CategoryIcon, type TagType, tagTypeOf } from '#contract/tag.ts'
import type { TagDefinition, TagKind } from '#contract/tag-definition.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'

type Db = Kysely<Database>
type Tx = Transaction<Database>

/** Locks an advertiser's tags and categories against concurrent additions, so that the limits hold. */
export async function lockTags(tx: Tx, adv_id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`tags ${adv_id}`}))`.execute(tx)
}

export interface NewTag {
  adv_id: number
  category_id: number
  name: string
  definition: TagDefinition
  is_automatic?: boolean
  is_built_in?: boolean
  creator_id?: number | null
  position?: number
}

/** Inserts the tags whose names are free in their category; returns those names with the new ids. */
export async function insertTags(tx: Db, tags: readonly NewTag[]): Promise<Map<string, number>> {
  if (tags.length === 0) return new Map()
  const rows = await tx
    .insertInto('tag')
    .values(
      tags.map((tag) => ({
        is_automatic: false,
        is_built_in: false,
        creator_id: null,
        position: 0,
        ...tag,
        tag_type: tagTypeOf(tag.definition.kind),
        definition: JSON.stringify(tag.definition),
        created_at: now(),
      })),
    )
    .onConflict((oc) => oc.columns(['category_id', 'name']).doNothing())
    .returning(['id', 'name'])
    .execute()
  return new Map(rows.map((row) => [row.name, row.id]))
}

/** Returns the advertiser's category of that name; creates it when there is none. */
export async function ensureCategory(
  tx: Db,
  category: {
    adv_id: number
    name: string
    tag_type: TagType
    icon: CategoryIcon
    source: string | null
    position: number
  },
): Promise<{ id: number; isNew: boolean }> {
  const made = await tx
    .insertInto('tag_category')
    .values(category)
    .onConflict((oc) => oc.columns(['adv_id', 'tag_type', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made) return { id: made.id, isNew: true }
  const { id } = await tx
    .selectFrom('tag_category')
    .select('id')
    .where('adv_id', '=', category.adv_id)
    .where('tag_type', '=', category.tag_type)
    .where('name', '=', category.name)
    .executeTakeFirstOrThrow()
  return { id, isNew: false }
}

/** 全部用户: everyone of the advertiser, so that a difference has a set to subtract from. */
export async function ensureBuiltIn(tx: Db, adv_id: number): Promise<void> {
  const known = await tx
    .selectFrom('tag')
    .select('id')
    .where('adv_id', '=', adv_id)
    .where('is_built_in', '=', true)
    .executeTakeFirst()
  if (known) return
  const { id: category_id } = await ensureCategory(tx, {
    adv_id,
    name: ALL_PEOPLE_TAG,
    tag_type: ATTRIBUTE_TAG,
    icon: 'all',
    source: null,
    position: -1,
  })
  await insertTags(tx, [
    {
      adv_id,
      category_id,
      name: ALL_PEOPLE_TAG,
      definition: { kind: 'everyone' },
      is_automatic: true,
      is_built_in: true,
    },
  ])
}

const CHANGE = { is_dirty: true, generation: sql<number>`generation + 1`, error: null }

/** Marks the tags selected by `where` for a rebuild. */
async function markWhere(tx: Db, adv_id: number, where: ReturnType<typeof sql<boolean>>): Promise<number> {
  const done = await tx.updateTable('tag').set(CHANGE).where('adv_id', '=', adv_id).where(where).executeTakeFirst()
  return Number(done.numUpdatedRows)
}

export const markTags = (tx: Db, adv_id: number, ids: readonly number[]) =>
  markWhere(tx, adv_id, sql<boolean>`id = any(${[...ids]}::int[])`)

export const markAll = (tx: Db, adv_id: number) => markWhere(tx, adv_id, sql<boolean>`true`)

/**
 * Tags that new data may change: those of its attributes and events, 全部用户 and every negation (there may be new
 * people). Of windowed tags only those whose days begin no more than `daysBack` days ago; null when nothing came late.
 */
export function markAffected(tx: Db, adv_id: number, data: ChangedData): Promise<number> {
  const cases = Object.entries(affectedSql(data)).map(([kind, where]) => sql`when ${kind} then ${where}`)
  return markWhere(tx, adv_id, sql<boolean>`case definition->>'kind' ${sql.join(cases, sql` `)} end`)
}

interface ChangedData {
  attributes: readonly string[]
  events: readonly string[]
  daysBack: number | null
}

const affectedSql = ({ attributes, events, daysBack }: ChangedData): Record<TagKind, RawBuilder<unknown>> => ({
  everyone: sql`true`,
  // 为空 also holds new people.
  attribute: sql`definition->'condition'->>'is' = 'empty' or definition->>'attribute' = any(${[...attributes]}::text[])`,
  event: sql`(definition->>'negated')::boolean or (
    definition->>'event' = any(${[...events]}::text[])
    and (definition->>'window_days' is null or definition->'measure'->>'of' = 'first'
      or (definition->>'window_days')::int >= ${daysBack}::int)
  )`,
})

/** Definitions with relative days: past N days, N days before, and dates compared with today. */
const readsToday = sql<boolean>`(definition->>'window_days' is not null or definition ? 'before_days'
  or jsonb_path_exists(definition, '$.condition ? (@.is == "days")')
  or jsonb_path_exists(definition, '$.properties[*].condition ? (@.is == "days")'))`

/**
 * Marks windowed tags last built before `since`, the start of today, including those being built now: that build may
 * have begun yesterday. Returns the advertisers that have such tags.
 */
export async function markStaleWindows(tx: Tx, { since, now }: { since: number; now: number }): Promise<number[]> {
  const rows = await tx
    .updateTable('tag')
    .set(CHANGE)
    .where(readsToday)
    .where((eb) =>
      // A count time in the future means that the clock was set back: the tag was built for a later day.
      eb.or([eb('counted_at', '<', since), eb('counted_at', '>', now), eb('counted_at', 'is', null)]),
    )
    .returning('adv_id')
    .execute()
  return [...new Set(rows.map((row) => row.adv_id))]
}
