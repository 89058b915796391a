import { sql, type Transaction } from 'kysely'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import { identifierSql } from '../../identifiers/identifier-sql.ts'
import type { Forgotten } from '../../identifiers/tombstones.ts'
import type { Database } from '../../postgres/schema.ts'
import type { ForgetState } from '../../postgres/schema-forget.ts'
import type { ForgetDeps } from './deps.ts'
import { eraseRows } from './rows.ts'

type Uploaded = NonNullable<ForgetState['uploaded']>

/** The values of forgotten people in uploaded crowds, in all their versions. */
export function uploadedValues({ db, load, personKey }: Pick<ForgetDeps, 'db' | 'load' | 'personKey'>) {
  async function crowdsWith(adv_id: number, forgotten: Forgotten) {
    const crowds = await db
      .selectFrom('custom_crowd')
      .select(['id', 'user_id_type'])
      .where('adv_id', '=', adv_id)
      .orderBy('id')
      .execute()
    return crowds.flatMap(({ id, user_id_type: type }) => {
      const condition = forgotten.identifier(type, identifierSql(type, personKey).text('value'))
      return condition === null
        ? []
        : [{ id, where: `adv_id = ${Number(adv_id)} AND crowd_id = ${Number(id)} AND ${condition}` }]
    })
  }

  /** The crowds that have such values, and how many. */
  async function find(adv_id: number, forgotten: Forgotten): Promise<Uploaded> {
    const found: Uploaded = []
    for (const { id, where } of await crowdsWith(adv_id, forgotten)) {
      const [row] = await load.acrossShards.query<{ n: number }>(
        `SELECT toFloat64(uniqExact(value)) AS n FROM crowd_identifier WHERE ${where}`,
      )
      if (row?.n) found.push({ id, values: row.n })
    }
    return found
  }

  async function erase(adv_id: number, forgotten: Forgotten): Promise<void> {
    for (const { where } of await crowdsWith(adv_id, forgotten)) {
      await eraseRows(load, { table: 'crowd_identifier', where })
    }
  }

  /** Settles the sizes of the crowds' versions once the values are gone. */
  async function settle(tx: Transaction<Database>, adv_id: number, uploaded: Uploaded): Promise<void> {
    await lockCrowds(tx, adv_id)
    for (const { id, values } of uploaded) {
      const versions = await tx
        .selectFrom('custom_version')
        .select('no')
        .where('crowd_id', '=', id)
        .where('status', '=', 'done')
        .orderBy('no')
        .execute()
      const rows = await load.acrossShards.query<{ version: number; n: number }>(
        `SELECT version, toFloat64(sum(sign)) AS n FROM crowd_identifier
         WHERE adv_id = ${Number(adv_id)} AND crowd_id = ${Number(id)} GROUP BY version`,
      )
      const upTo = (no: number) => rows.reduce((sum, row) => sum + (row.version <= no ? row.n : 0), 0)
      await sql`update custom_version set size = done.size
        from unnest(${versions.map(({ no }) => no)}::int[], ${versions.map(({ no }) => upTo(no))}::bigint[]) as done (no, size)
        where custom_version.crowd_id = ${id} and custom_version.no = done.no and custom_version.size is not null`.execute(
        tx,
      )
      await sql`update custom_crowd set removed_on_request = removed_on_request + ${values},
          size = (select size from custom_version where crowd_id = custom_crowd.id and no = custom_crowd.version)
        where id = ${id} and version > 0`.execute(tx)
    }
  }

  return { find, erase, settle }
}
