import { type Kysely, sql, type Transaction } from 'kysely'
import type { Handles } from '../../clickhouse/handles.ts'
import { anyLeftOut } from '../../ingest/attribute-values.ts'
import type { Jobs } from '../../jobs/open.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { countValues } from './attribute-statistics.ts'
import { makeExistsTag } from './automatic.ts'
import { leftOutOf } from './left-out.ts'

const VALUES = 'tag.values'
/** Changes with every update of the row. */
const rowVersion = sql<string>`xmin::text`

interface Deps {
  db: Kysely<Database>
  load: Handles
  jobs: Jobs
}

/** Counts the values of attributes with new data, for forms. */
export function openValuesJob(
  { db, load, jobs }: Deps,
  requestRebuild: (tx: Transaction<Database>, adv_id: number) => Promise<void>,
) {
  jobs.handle<{ adv_id: number }>(VALUES, { concurrency: 1, retries: 1 }, async ({ data: { adv_id }, signal }) => {
    // In slot order; an attribute that cannot be counted stays due and does not block the others.
    let after = -1
    let failure: unknown
    for (;;) {
      signal.throwIfAborted()
      const attribute = await nextDue(db, adv_id, after)
      if (!attribute) break
      const counted = await countValues(load, adv_id, attribute).catch((error: unknown) => {
        signal.throwIfAborted()
        failure = error
        after = attribute.slot
      })
      if (!counted) continue
      await transaction(db, (tx) => save(tx, adv_id, attribute, counted))
    }
    if (failure !== undefined) throw failure
  })

  async function save(
    tx: Transaction<Database>,
    adv_id: number,
    attribute: DueAttribute,
    { distinct, values, leftOut }: Awaited<ReturnType<typeof countValues>>,
  ): Promise<void> {
    const { numUpdatedRows } = await tx
      .updateTable('attribute')
      .set({
        distinct_values: distinct,
        values: JSON.stringify(values),
        values_due: false,
        left_out: JSON.stringify(leftOutOf(attribute.left_out, leftOut)),
      })
      .where('id', '=', attribute.id)
      .where(rowVersion, '=', attribute.row_version)
      .executeTakeFirst()
    // New data arrived meanwhile: the values are due again.
    if (numUpdatedRows === 0n) return
    // Data imported by a version that did not yet record values without a tag have no tag 有值.
    if (attribute.left_out.length > 0 || !anyLeftOut(leftOut)) return
    await makeExistsTag(tx, adv_id, attribute)
    await requestRebuild(tx, adv_id)
  }

  return {
    requestValues: (tx: Transaction<Database>, adv_id: number) =>
      jobs.send(tx, VALUES, { adv_id }, { singletonKey: `values:${adv_id}` }),
  }
}

type DueAttribute = NonNullable<Awaited<ReturnType<typeof nextDue>>>

/** In slot order, the next attribute whose values are due. */
const nextDue = (db: Kysely<Database>, adv_id: number, after: number) =>
  db
    .selectFrom('attribute')
    .select(['id', 'name', 'display_name', 'slot', 'distinct_values', 'left_out', rowVersion.as('row_version')])
    .where('adv_id', '=', adv_id)
    .where('values_due', '=', true)
    .where('slot', '>', after)
    .orderBy('slot')
    .limit(1)
    .executeTakeFirst()
