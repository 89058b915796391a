import { type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { CrowdListQuery } from '#contract/crowd-list.ts'
import type { CreatedKind } from '#contract/rule-crowd.ts'
import type { Viewer } from '../http/viewer.ts'
import { searchedText, shownNameHolds, textHolds } from '../postgres/like.ts'
import { nameFinder } from '../postgres/name-finder.ts'
import type { Database } from '../postgres/schema.ts'
import { CROWDS, type CrowdKind } from './kinds.ts'

/** The filters, without which page is shown in which order. */
type Query = Omit<z.output<typeof CrowdListQuery>, 'page' | 'page_size' | 'sort'>
type Sort = z.output<typeof CrowdListQuery>['sort']

/** The advertisers whose crowds a list shows: all of the viewer's, or the one asked for. */
export function listedAdvertisers(viewer: Viewer, adv_id: number | undefined): number[] {
  if (adv_id !== undefined) viewer.mustBeMember(adv_id)
  return viewer.adv_ids.filter((id) => adv_id === undefined || id === adv_id)
}

/** The filters of both lists, over rows joined with `viewer`, the creator. */
export function listFilters(viewer: Viewer, kind: CrowdKind, adv_ids: readonly number[], query: Query) {
  const column = (name: string) => sql.ref<string>(`${CROWDS[kind].crowds}.${name}`)
  const filters = [sql`${column('adv_id')} in (${sql.join(adv_ids)})`]
  if (query.name) filters.push(textHolds(viewer, column('name'), query.name))
  if (query.creator_id?.length) filters.push(sql`${column('creator_id')} in (${sql.join(query.creator_id)})`)
  if (query.creator) filters.push(shownNameHolds(query.creator))
  if (query.dir_id) filters.push(sql`${column('dir_id')} = ${query.dir_id}`)
  if (query.created_at) {
    const [from, to] = query.created_at
    filters.push(sql`${column('created_at')} between ${from} and ${to}`)
  }
  return sql<SqlBool>`${sql.join(filters, sql` and `)}`
}

/**
 * The filters of a list of history crowds, whose names are found by pinyin too. The ids of those found are read before.
 */
export async function historyFilters(
  db: Kysely<Database>,
  viewer: Viewer,
  kind: CrowdKind,
  adv_ids: readonly number[],
  query: Query,
) {
  const { name: wanted = '' } = query
  const finds = await nameFinder(wanted)
  if (!finds) return listFilters(viewer, kind, adv_ids, query)
  const { crowds } = CROWDS[kind]
  const rows = await db
    .selectFrom(crowds)
    .select(['id', searchedText(viewer, sql.ref('name'), wanted).as('name')])
    .where('adv_id', 'in', [...adv_ids])
    .where('deleted_at', 'is', null)
    .execute()
  const ids = rows.filter(({ name }) => finds(name)).map(({ id }) => id)
  const others = listFilters(viewer, kind, adv_ids, { ...query, name: undefined })
  return sql<SqlBool>`${others} and ${sql.ref(`${crowds}.id`)} = any(${ids}::int[])`
}

/** Counts the rows, and reads `limit` of them from `offset` on in the requested order. */
export async function listPage<DB, TB extends keyof DB, O>(
  rows: SelectQueryBuilder<DB, TB, O>,
  kind: CrowdKind,
  { sort, limit, offset = 0 }: { sort: Sort; limit: number; offset?: number },
) {
  const { crowds } = CROWDS[kind]
  const { total } = await rows
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow()
  const direction = sort === 'created_at' ? 'asc' : 'desc'
  const page = await rows
    .orderBy(sql.ref(`${crowds}.created_at`), direction)
    .orderBy(sql.ref(`${crowds}.id`), direction)
    .limit(limit)
    .offset(offset)
    .execute()
  return { total, page }
}

/** Where what has a creator filter is stored. */
const CREATED = {
  custom: CROWDS.custom.crowds,
  rule: CROWDS.rule.crowds,
  targeting: 'targeting_package',
  activity: 'campaign',
} as const satisfies Record<CreatedKind, string>

/** The creators of the crowds that the viewer may see, or of one kind of them, or of targeting packages. */
export async function creatorsOf(
  db: Kysely<Database>,
  viewer: Viewer,
  { keyword, kind }: { keyword?: string | undefined; kind?: CreatedKind | undefined },
): Promise<{ id: number; realname: string }[]> {
  if (viewer.adv_ids.length === 0) return []
  const kinds: readonly CreatedKind[] = kind === undefined ? ['rule', 'custom'] : [kind]
  const rows = await db
    .selectFrom('viewer')
    .select(['id', 'realname', 'username'])
    .where((eb) =>
      eb.or(
        kinds.map((one) =>
          eb(
            'id',
            'in',
            eb
              .selectFrom(CREATED[one])
              .select('creator_id')
              .where('adv_id', 'in', viewer.adv_ids)
              .where('deleted_at', 'is', null),
          ),
        ),
      ),
    )
    .orderBy('id')
    .execute()
  return rows
    .map(({ id, realname, username }) => ({ id, realname: realname || username }))
    .filter((row) => !keyword || row.realname.includes(keyword))
}
