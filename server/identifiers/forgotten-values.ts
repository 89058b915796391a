import { IdentifierType } from '#contract/identifier.ts'
import { identifierSql } from './identifier-sql.ts'
import type { Forgotten } from './tombstones.ts'

/** The text of a row's stored value, whatever its type. */
export const anyTextSql = (personKey: Buffer): string =>
  `multiIf(${IdentifierType.options
    .map((type) => `id_type = '${type}', ${identifierSql(type, personKey).text('value')}`)
    .join(', ')}, '')`

/** A condition on rows with `id_type` and a stored `value`: it is of a forgotten person; null where none can be. */
export function forgottenValueSql(forgotten: Forgotten, personKey: Buffer): string | null {
  const conditions = IdentifierType.options.flatMap((type) => {
    const condition = forgotten.identifier(type, identifierSql(type, personKey).text('value'))
    return condition === null ? [] : [`(id_type = '${type}' AND ${condition})`]
  })
  return conditions.length === 0 ? null : `(${conditions.join(' OR ')})`
}
