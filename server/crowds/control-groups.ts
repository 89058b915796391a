import { type Kysely, sql } from 'kysely'
import { quote } from '../clickhouse/bind.ts'
import type { Database } from '../postgres/schema.ts'
import type { CrowdKind } from './kinds.ts'

/** The audit's word for a change of a crowd's control group. */
export const SET_CONTROL_GROUP = 'control_group.set'

/** What decides who is in a crowd's control group. */
export interface ControlGroup {
  id: number
  share: number
  seed: string
}

/** The column of a kind's crowds in the table of control groups. */
export const controlColumn = (kind: CrowdKind) => (kind === 'custom' ? 'custom_id' : 'people_id')

/** A crowd's control group; null where it has none. */
export const controlGroupOf = async (
  db: Kysely<Database>,
  { kind, id }: { kind: CrowdKind; id: number },
): Promise<ControlGroup | null> =>
  (await db
    .selectFrom('control_group')
    .select(['id', 'share', 'seed'])
    .where(controlColumn(kind), '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()) ?? null

/** The share of the control group of a row of `custom_crowd` or `people`; null where it has none. */
export const controlShareSql = (kind: CrowdKind) =>
  sql<number | null>`(select share from control_group where ended_at is null
    and ${sql.ref(`control_group.${controlColumn(kind)}`)} = ${sql.ref(kind === 'custom' ? 'custom_crowd.id' : 'people.id')})`

/** `isHeldOut` of the contract as SQL, of the text `key`. */
export const heldOutSql = ({ seed, share }: ControlGroup, key: string): string =>
  `(murmurHash3_32(concat(${quote(`${seed}:`)}, ${key})) % 100 < ${Number(share)})`
