import type { Kysely, Transaction } from 'kysely'
import type { z } from 'zod'
import { outcome, sentenceOf, sentenceOrNull } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { saveWebhook, tryWebhook } from '#contract/webhook.ts'
import type { Secrets } from '../../config/secrets.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Jobs } from '../../jobs/open.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { messageOf, type Notice, refusalOf } from './message.ts'
import { OutboundFault, postJson, urlFault } from './outbound.ts'

interface Deps {
  db: Kysely<Database>
  jobs: Jobs
  secrets: Secrets
  /** Origins that may be called although they are in an internal network. */
  allowed: readonly string[]
  /** The console's own address. */
  publicUrl: string
}

const SEND = 'webhook.send'
const TRIES = 5
const WEBHOOKS_MAX = 20

/** Webhooks, which receive a notice when a push fails or waits for a viewer. */
export function webhookService({ db, jobs, secrets, allowed, publicUrl }: Deps) {
  jobs.handle<{ webhook_id: number; notice: Notice }>(
    SEND,
    {
      concurrency: 8,
      retries: (error) => (error instanceof OutboundFault && error.isFinal ? 0 : TRIES - 1),
      retryDelaySeconds: 10,
    },
    async ({ data, signal }) => {
      const hook = await db.selectFrom('webhook').selectAll().where('id', '=', data.webhook_id).executeTakeFirst()
      if (!hook?.is_on) return
      const fault = await deliver(hook, data.notice, signal)
      if (fault) throw fault
    },
  )

  /** Sends one message and stores the result; returns why it was not taken, else null. */
  async function deliver(
    hook: { id: number; kind: 'wecom' | 'feishu' | 'json'; url: string },
    notice: Notice,
    signal: AbortSignal,
  ): Promise<OutboundFault | null> {
    let fault: OutboundFault | null = null
    try {
      const { status, text } = await postJson(secrets.open(hook.url), messageOf(hook.kind, notice), { allowed, signal })
      const refusal = refusalOf(hook.kind, status, text)
      if (refusal) fault = new OutboundFault(refusal, status >= 400 && status < 500 && status !== 429)
    } catch (error) {
      if (!(error instanceof OutboundFault)) throw error
      fault = error
    }
    await db
      .updateTable('webhook')
      .set({ last_at: now(), last_error: fault?.outcome ?? null })
      .where('id', '=', hook.id)
      .execute()
    return fault
  }

  async function mustFind(reader: Kysely<Database>, viewer: Viewer, id: number) {
    const hook = await reader.selectFrom('webhook').selectAll().where('id', '=', id).executeTakeFirst()
    if (!hook || !viewer.isMember(hook.adv_id)) throw new AppError('notFound', { what: '通知' })
    return hook
  }

  return {
    /** Queues a message to the advertiser's robots in the caller's transaction. */
    async notify(
      tx: Transaction<Database>,
      {
        adv_id,
        link,
        reason,
        ...message
      }: Omit<Notice, 'at' | 'reason' | 'outcome'> & { adv_id: number; reason: AnyOutcome },
    ): Promise<void> {
      const hooks = await tx
        .selectFrom('webhook')
        .select('id')
        .where('adv_id', '=', adv_id)
        .where('is_on', '=', true)
        .execute()
      const notice: Notice = {
        ...message,
        reason: sentenceOf(reason),
        outcome: reason,
        link: publicUrl + link,
        at: now(),
      }
      for (const { id } of hooks) await jobs.send(tx, SEND, { webhook_id: id, notice }, { group: `webhook:${id}` })
    },

    async list(viewer: Viewer, adv_id: number) {
      viewer.mustBeMember(adv_id)
      const rows = await db.selectFrom('webhook').selectAll().where('adv_id', '=', adv_id).orderBy('id').execute()
      return {
        list: rows.map((row) => ({
          ...row,
          url: masked(secrets.open(row.url)),
          last_error: sentenceOrNull(row.last_error),
          last_error_outcome: row.last_error,
        })),
      }
    },

    async save(viewer: Viewer, { id, adv_id, kind, url, is_on }: z.output<typeof saveWebhook.body>) {
      viewer.mustBeMember(adv_id)
      if (id === undefined && url === undefined)
        throw new AppError('badInput', { reason: outcome('webhook_url_missing') })
      const fault = url === undefined ? null : urlFault(url, allowed)
      if (fault) throw new AppError('webhookRefused', { reason: fault }, { outcome: fault })
      const sealed = url === undefined ? {} : { url: secrets.seal(url), last_error: null }
      return transaction(db, async (tx) => {
        if (id !== undefined) {
          const hook = await mustFind(tx, viewer, id)
          if (hook.adv_id !== adv_id) throw new AppError('notFound', { what: '通知' })
          await tx
            .updateTable('webhook')
            .set({ kind, is_on, ...sealed })
            .where('id', '=', id)
            .execute()
          await audit(tx, viewer, 'webhook.update', { id, adv_id, kind, is_on })
          return { id }
        }
        await tx.selectFrom('advertiser').select('id').where('id', '=', adv_id).forUpdate().execute()
        const { n } = await tx
          .selectFrom('webhook')
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .where('adv_id', '=', adv_id)
          .executeTakeFirstOrThrow()
        if (Number(n) >= WEBHOOKS_MAX) throw new AppError('webhooksFull', { max: WEBHOOKS_MAX })
        const made = await tx
          .insertInto('webhook')
          .values({ adv_id, kind, is_on, url: secrets.seal(url ?? '') })
          .returning('id')
          .executeTakeFirstOrThrow()
        await audit(tx, viewer, 'webhook.create', { id: made.id, adv_id, kind, is_on })
        return made
      })
    },

    async remove(viewer: Viewer, id: number): Promise<void> {
      await transaction(db, async (tx) => {
        const { adv_id } = await mustFind(tx, viewer, id)
        await tx.deleteFrom('webhook').where('id', '=', id).execute()
        await audit(tx, viewer, 'webhook.delete', { id, adv_id })
      })
    },

    /** Sends a test message now and returns the result. */
    async try(viewer: Viewer, id: number, signal: AbortSignal): Promise<z.output<typeof tryWebhook.data>> {
      const hook = await mustFind(db, viewer, id)
      const notice: Notice = {
        kind: 'test',
        crowd: '示例人群',
        account: '示例账户',
        reason: '这是一条测试通知，说明通知可以送达',
        link: publicUrl,
        push_id: null,
        at: now(),
      }
      const fault = await deliver(hook, notice, signal)
      await audit(db, viewer, 'webhook.try', { id, adv_id: hook.adv_id, ok: fault === null })
      return { ok: fault === null, answer: fault?.message ?? '已送达', outcome: fault?.outcome ?? null }
    },
  }
}
export type WebhookService = ReturnType<typeof webhookService>

const SHOWN_OF = 4
/** Enough of an address to recognise it, with its key hidden. */
function masked(text: string): string {
  const url = URL.parse(text)
  if (!url) return '****'
  const key = url.pathname.slice(1) + url.search
  return `${url.origin}/****${key.length > SHOWN_OF * 3 ? key.slice(-SHOWN_OF) : ''}`
}
