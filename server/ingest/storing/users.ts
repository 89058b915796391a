import type { ImportedType } from '#contract/identifier.ts'
import { quote, quoteName } from '../../clickhouse/bind.ts'
import { importedIdentifier } from '../../identifiers/forms-sql.ts'
import { sealSql } from '../../identifiers/seal.ts'
import type { UsersPlan } from '../reading/plan.ts'
import { identifierColumn } from '../reading/users.ts'

export function storeUsersSql(
  stage: string,
  rows: string,
  plan: UsersPlan,
  attributes: readonly string[],
  at: { adv_id: number; import_id: number; nowMs: number; isTimed: boolean; uid: string; key: Buffer },
): string {
  const rest = attributes.map((column) => `, ${quoteName(column)}`).join('')
  return `INSERT INTO ${stage} (adv_id, uid, bucket, ts, line, row_id, name, phone, import_id${rest})
    SELECT ${at.adv_id}, ${at.uid} AS uid, bitShiftRight(uid, 20), fromUnixTimestamp64Milli(${at.isTimed ? 'at' : `toInt64(${at.nowMs})`}, 'UTC'), row,
      row_id, ${plan.name === null ? `''` : 'name'}, ${plan.phone === null ? `''` : sealSql('phone', at.key)}, ${at.import_id}${rest} FROM ${rows}`
}

interface IdentifierCells {
  column: string
  type: ImportedType
  isValid: string
  forms: { id_type: string; value: string }[]
}

/** The phone and the identifier columns of a chunk: which cells are valid, and what is stored of them. */
export function identifierCells(plan: UsersPlan, key: Buffer): IdentifierCells[] {
  const columns = plan.identifiers.map(({ type }, index) => ({ type, column: identifierColumn(index) }))
  const phone = plan.phone === null ? [] : [{ type: 'MOBILE_PHONE' as const, column: 'phone' }]
  return [...phone, ...columns].map(({ type, column }) => ({
    column,
    type,
    ...importedIdentifier(type, column, key),
  }))
}

/** Rows that repeat stored ones: of a user's row everything else follows from the stored row. */
export const storeUserRepeatsSql = (
  stage: string,
  repeats: string,
  at: { adv_id: number; import_id: number; nowMs: number },
) =>
  `INSERT INTO ${stage} (adv_id, row_id, at, line, import_id)
   SELECT ${at.adv_id}, row_id, fromUnixTimestamp64Milli(toInt64(${at.nowMs}), 'UTC'), row, ${at.import_id} FROM ${repeats}`

export const storeIdentifiersSql = (
  stage: string,
  rows: string,
  { column, isValid, forms }: IdentifierCells,
  at: { adv_id: number; import_id: number; uid: string },
) => `INSERT INTO ${stage} (adv_id, id_type, value_hash, uid, import_id)
  SELECT DISTINCT ${at.adv_id}, form.1, form.2, uid, ${at.import_id}
  FROM (SELECT ${at.uid} AS uid, arrayJoin([${forms.map((form) => `(${quote(form.id_type)}, ${form.value})`).join(', ')}]) AS form
        FROM ${rows} WHERE ${column} != '' AND ${isValid})`
