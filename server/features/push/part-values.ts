import type { IdentifierType } from '#contract/identifier.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { identifierSql } from '../../identifiers/identifier-sql.ts'

const BATCH = 50_000

/** The values of a part as they are sent, in batches. Each iteration starts at the beginning. */
export async function* partValues(
  engine: AcrossShards,
  personKey: Buffer,
  part: { child_id: number; plan_id: number; no: number; type: IdentifierType },
): AsyncGenerator<readonly string[]> {
  const { child_id, plan_id, no, type } = part
  let after = ''
  for (;;) {
    const rows = await engine.query<{ kept: string; text: string }>(
      `SELECT hex(value) AS kept, ${identifierSql(type, personKey).text('value')} AS text FROM push_value
       WHERE child_id = ${child_id} AND plan_id = ${plan_id} AND part = ${no} AND id_type = '${type}'
         ${after === '' ? '' : `AND value > unhex('${after}')`}
       ORDER BY value LIMIT ${BATCH}`,
    )
    const last = rows.at(-1)
    if (!last) return
    yield rows.map((row) => row.text)
    if (rows.length < BATCH) return
    after = last.kept
  }
}
