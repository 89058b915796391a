import type { Kysely } from 'kysely'
import { z } from 'zod'
import { IdentifierType } from '#contract/identifier.ts'
import type { Database } from '../postgres/schema.ts'

/** A value to be removed from an audience: its text, with its type. */
export interface RemovedValue {
  type: IdentifierType
  text: string
}

/** Encrypts and decrypts texts with the installation's secret. */
interface Secrets {
  seal(text: string): string
  open(sealed: string): string
}

const Values = z.array(z.object({ type: IdentifierType, text: z.string() }))

/** Values to be removed as they are stored: encrypted. */
export const sealedValues = (secrets: Pick<Secrets, 'seal'>, values: readonly RemovedValue[]): string =>
  secrets.seal(JSON.stringify(values))

/** The values that are to be removed from an audience; null once they were erased. */
export async function removedValues(
  db: Kysely<Database>,
  secrets: Pick<Secrets, 'open'>,
  forget_account_id: number,
): Promise<RemovedValue[] | null> {
  const row = await db
    .selectFrom('forget_account')
    .select('sealed')
    .where('id', '=', forget_account_id)
    .executeTakeFirst()
  return row?.sealed ? Values.parse(JSON.parse(secrets.open(row.sealed))) : null
}
