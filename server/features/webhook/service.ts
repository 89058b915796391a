import { type Kysely, sql, type Transaction } from 'kysely'
import type { z } from 'zod'
import { outcome, sentenceOf, sentenceOrNull } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { saveWebhook, tryWebhook, WebhookEvent } from '#contract/webhook.ts'
import type { Secrets } from '../../config/secrets.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Jobs } from '../../jobs/open.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { type CrowdNotice, messageOf, type Notice, type PushNotice, type ReportNotice, refusalOf } from './message.ts'
import { OutboundFault, postJson, urlFault } from './outbound.ts'

interface Deps {
  db: Kysely<Database>
  jobs: Jobs
  secrets: Secrets
  /** Origins that may be called although they are in an internal network. */
  allowed: readonly string[]
  /** The console's own address. */
  publicUrl: string
  timezone: string
}

const SEND = 'webhook.send'
const TRIES = 5
const WEBHOOKS_MAX = 20

/** Webhooks, which receive a notice when a push fails or waits for a viewer, when a crowd changed much, and when days of an activity's reports are odd. */
export function webhookService({ db, jobs, secrets, allowed, publicUrl, timezone }: Deps) {
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
      const { status, text } = await postJson(secrets.open(hook.url), messageOf(hook.kind, notice, timezone), {
        allowed,
        signal,
      })
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

  /** Queues a message to the advertiser's robots that want such messages, in the caller's transaction. */
  async function queue(tx: Transaction<Database>, adv_id: number, event: WebhookEvent, notice: Notice): Promise<void> {
    const hooks = await tx
      .selectFrom('webhook')
      .select('id')
      .where('adv_id', '=', adv_id)
      .where('is_on', '=', true)
      .where(sql<boolean>`${event} = any(events)`)
      .orderBy('id')
      .execute()
    for (const { id } of hooks) await jobs.send(tx, SEND, { webhook_id: id, notice }, { group: `webhook:${id}` })
  }

  return {
    /** A push failed, or waits for a viewer. */
    notify: (
      tx: Transaction<Database>,
      push: Omit<PushNotice, 'at' | 'reason' | 'outcome'> & { adv_id: number; reason: AnyOutcome },
    ): Promise<void> => {
      const { adv_id, link, reason, ...message } = push
      return queue(tx, adv_id, 'push', {
        ...message,
        reason: sentenceOf(reason),
        outcome: reason,
        link: publicUrl + link,
        at: now(),
      })
    },

    /** A crowd changed by more than the share that its owner set. */
    notifyOfCrowd: (tx: Transaction<Database>, change: Omit<CrowdNotice, 'kind' | 'link'>): Promise<void> => {
      const { adv_id, crowd_id, since_version, version } = change
      const page = `/cowd-manage/cowd-assets/profile/${crowd_id}?tab=sizes&from=${since_version}&to=${version}`
      return queue(tx, adv_id, 'crowd', { kind: 'changed', ...change, link: publicUrl + page })
    },

    /** Days of an activity's reports are odd. */
    notifyOfReport: (tx: Transaction<Database>, found: Omit<ReportNotice, 'kind' | 'link' | 'at'>): Promise<void> => {
      const { adv_id, campaign_id } = found
      const page = `/campaign-manage/day-report?campaign_id=${campaign_id}`
      return queue(tx, adv_id, 'report', { kind: 'report', ...found, at: now(), link: publicUrl + page })
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

    async save(viewer: Viewer, { id, adv_id, kind, url, is_on, events }: z.output<typeof saveWebhook.body>) {
      viewer.mustBeMember(adv_id)
      if (id === undefined && url === undefined)
        throw new AppError('badInput', { reason: outcome('webhook_url_missing') })
      const fault = url === undefined ? null : urlFault(url, allowed)
      if (fault) throw new AppError('webhookRefused', { reason: fault }, { outcome: fault })
      const sealed = url === undefined ? {} : { url: secrets.seal(url), last_error: null }
      const chosen = events === undefined ? {} : { events }
      return transaction(db, async (tx) => {
        if (id !== undefined) {
          const hook = await mustFind(tx, viewer, id)
          if (hook.adv_id !== adv_id) throw new AppError('notFound', { what: '通知' })
          await tx
            .updateTable('webhook')
            .set({ kind, is_on, ...chosen, ...sealed })
            .where('id', '=', id)
            .execute()
          await audit(tx, viewer, 'webhook.update', { id, adv_id, kind, is_on, ...chosen })
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
          .values({ adv_id, kind, is_on, ...chosen, url: secrets.seal(url ?? '') })
          .returning('id')
          .executeTakeFirstOrThrow()
        await audit(tx, viewer, 'webhook.create', { id: made.id, adv_id, kind, is_on, ...chosen })
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
