import { randomBytes } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { z } from 'zod'
import { type listWriteKeys, type makeWriteKey, type showWriteKey, WRITE_KEYS_MAX } from '#contract/tracking.ts'
import type { WriteKeyKind } from '#contract/tracking-message.ts'
import { fingerprint, type Secrets } from '../../config/secrets.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'

/** Says whose key it is where it is found by chance. */
const PREFIX = { server: 'rqw_', page: 'rqp_' } as const
const KEY_BYTES = 24
const TAIL = 4

interface Deps {
  db: Kysely<Database>
  secrets: Secrets
  publicUrl: string | undefined
  /** A key was revoked, after it is stored. */
  onRevoked(id: number): void
}

/** Keys for tracking calls. They open nothing else: no other call looks them up. */
export function writeKeyService({ db, secrets, publicUrl, onRevoked }: Deps) {
  async function mustFind(tx: Transaction<Database>, viewer: Viewer, id: number) {
    const row = await tx
      .selectFrom('write_key')
      .selectAll()
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!row || !viewer.isMember(row.adv_id)) throw new AppError('notFound', { what: '写入密钥' })
    return row
  }

  return {
    async list(viewer: Viewer, adv_id: number): Promise<z.input<typeof listWriteKeys.data>> {
      viewer.mustBeMember(adv_id)
      const rows = await db
        .selectFrom('write_key')
        .leftJoin('viewer', 'viewer.id', 'write_key.viewer_id')
        .select(['write_key.id', 'adv_id', 'kind', 'name', 'tail', 'write_key.created_at', 'last_used', 'realname'])
        .where('adv_id', '=', adv_id)
        .where('revoked_at', 'is', null)
        .orderBy('write_key.id')
        .execute()
      return { list: rows.map(({ realname, ...row }) => ({ ...row, creator: realname ?? '命令行' })) }
    },

    /** `viewer`: null on the command line. */
    async make(
      viewer: Viewer | null,
      { adv_id, kind, name }: z.output<typeof makeWriteKey.body>,
    ): Promise<{ id: number; key: string }> {
      viewer?.mustBeMember(adv_id)
      const key = PREFIX[kind] + randomBytes(KEY_BYTES).toString('base64url')
      return transaction(db, async (tx) => {
        await tx.selectFrom('advertiser').select('id').where('id', '=', adv_id).forUpdate().execute()
        const { n } = await tx
          .selectFrom('write_key')
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .where('adv_id', '=', adv_id)
          .where('revoked_at', 'is', null)
          .executeTakeFirstOrThrow()
        if (Number(n) >= WRITE_KEYS_MAX) throw new AppError('writeKeysFull', { max: WRITE_KEYS_MAX })
        const { id } = await tx
          .insertInto('write_key')
          .values({
            adv_id,
            kind,
            name,
            key_hash: fingerprint(key),
            sealed: secrets.seal(key),
            tail: key.slice(-TAIL),
            viewer_id: viewer?.id ?? null,
            created_at: now(),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await audit(tx, viewer, 'write_key.create', { id, adv_id, kind })
        return { id, key }
      })
    },

    show: (viewer: Viewer, id: number): Promise<z.input<typeof showWriteKey.data>> =>
      transaction(db, async (tx) => {
        const { adv_id, sealed } = await mustFind(tx, viewer, id)
        await audit(tx, viewer, 'write_key.show', { id, adv_id })
        return { id, key: secrets.open(sealed), origin: publicUrl ?? null }
      }),

    async revoke(viewer: Viewer, id: number): Promise<void> {
      await transaction(db, async (tx) => {
        const { adv_id } = await mustFind(tx, viewer, id)
        await tx.updateTable('write_key').set({ revoked_at: now() }).where('id', '=', id).execute()
        await audit(tx, viewer, 'write_key.revoke', { id, adv_id })
      })
      onRevoked(id)
    },
  }
}
export type WriteKeyService = ReturnType<typeof writeKeyService>

/** A key that is not revoked. */
export interface ActiveKey {
  id: number
  adv_id: number
  kind: WriteKeyKind
}
