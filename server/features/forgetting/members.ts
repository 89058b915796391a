import { type Kysely, sql, type Transaction } from 'kysely'
import type { EveryShard } from '../../clickhouse/handles.ts'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import type { Database } from '../../postgres/schema.ts'
import type { ForgetState } from '../../postgres/schema-forget.ts'

type Sets = NonNullable<ForgetState['sets']>
const KINDS = ['tag', 'crowd'] as const
const BUCKET_BITS = 20

interface OfPerson {
  adv_id: number
  uids: readonly number[]
}

const numbers = (list: readonly number[]) => list.map(Number).join(', ')
const people = (uids: readonly number[]) => `bitmapBuild(CAST([${numbers(uids)}], 'Array(UInt32)'))`
const holding = ({ adv_id, uids }: OfPerson) =>
  `adv_id = ${Number(adv_id)} AND bucket IN (${numbers([...new Set(uids.map((uid) => uid >>> BUCKET_BITS))])})
   AND bitmapHasAny(bitmap, ${people(uids)})`

/** The sets, of all versions, that hold the person. */
export async function setsHolding(load: EveryShard, of: OfPerson): Promise<Sets> {
  if (of.uids.length === 0) return []
  const found: Sets = []
  for (const kind of KINDS) {
    const rows = await load.query<{ id: number; version: number }>(
      `SELECT DISTINCT ${kind}_id AS id, version FROM ${kind}_member WHERE ${holding(of)} ORDER BY id, version`,
    )
    found.push(...rows.flat().map(({ id, version }) => ({ kind, id, version })))
  }
  return found
}

/**
 * Takes the person out of every version of every set, and settles the counts, under the lock of the advertiser's crowds.
 * A version is otherwise never changed. Counts between the change and the commit find a set of another size, and are
 * asked again.
 */
export async function removeFromSets(
  tx: Transaction<Database>,
  load: EveryShard,
  of: OfPerson,
  sets: Sets,
): Promise<void> {
  await lockCrowds(tx, of.adv_id)
  for (const kind of KINDS) {
    if (of.uids.length === 0 || !sets.some((set) => set.kind === kind)) continue
    await load.command(
      `ALTER TABLE ${kind}_member UPDATE bitmap = bitmapAndnot(bitmap, ${people(of.uids)}) WHERE ${holding(of)}
       SETTINGS mutations_sync = 2`,
    )
    const mine = sets.filter((set) => set.kind === kind)
    const pairs = mine.map(({ id, version }) => `(${Number(id)}, ${Number(version)})`).join(', ')
    const rows = await load.query<{ id: number; version: number; n: number }>(
      `SELECT ${kind}_id AS id, version, sum(bitmapCardinality(bitmap)) AS n FROM ${kind}_member
       WHERE adv_id = ${Number(of.adv_id)} AND (${kind}_id, version) IN (${pairs}) GROUP BY id, version`,
    )
    const counts = new Map<string, number>()
    for (const { id, version, n } of rows.flat()) {
      counts.set(`${id} ${version}`, (counts.get(`${id} ${version}`) ?? 0) + n)
    }
    const settled = mine.map(({ id, version }) => ({ id, version, n: counts.get(`${id} ${version}`) ?? 0 }))
    await (kind === 'tag' ? settleTags(tx, settled) : settleCrowds(tx, settled))
  }
  await stopComputations(tx, of.adv_id)
}

type Settled = readonly { id: number; version: number; n: number }[]
const asRows = (settled: Settled) =>
  sql`unnest(${settled.map(({ id }) => id)}::int[], ${settled.map(({ version }) => version)}::bigint[], ${settled.map(({ n }) => n)}::bigint[]) as set (id, version, n)`

const settleTags = (tx: Transaction<Database>, settled: Settled) =>
  sql`update tag set count = set.n from ${asRows(settled)} where tag.id = set.id and tag.version = set.version`.execute(
    tx,
  )

async function settleCrowds(tx: Transaction<Database>, settled: Settled): Promise<void> {
  await sql`update people set magnitude = set.n from ${asRows(settled)}
    where people.id = set.id and people.version = set.version`.execute(tx)
  await sql`update custom_crowd set matched = set.n from ${asRows(settled)}
    where custom_crowd.id = set.id and custom_crowd.members_version = set.version`.execute(tx)
  await sql`update crowd_size set count = set.n from ${asRows(settled)}
    where crowd_size.crowd_id = set.id and crowd_size.version = set.version`.execute(tx)
}

/** What was being computed may hold the person, and is not taken: it is computed again. */
async function stopComputations(tx: Kysely<Database>, adv_id: number): Promise<void> {
  await sql`update tag set generation = generation + 1, built_generation = generation + 1
    where adv_id = ${adv_id} and is_dirty`.execute(tx)
  await sql`update people set compute_seq = compute_seq + 1, is_dirty = true
    where adv_id = ${adv_id} and compute_seq > version and deleted_at is null`.execute(tx)
  await sql`update custom_crowd set match_seq = match_seq + 1 where adv_id = ${adv_id}
    and exists (select 1 from pgboss.job where name = 'custom.match' and state = 'active'
      and (data->'data'->>'crowd_id')::int = custom_crowd.id)`.execute(tx)
}
