import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import {
  type makeReportLink,
  type openReportLink,
  type openReportLinkControl,
  REPORT_LINKS_MAX,
  type ReportLink,
} from '#contract/report-link.ts'
import { fingerprint } from '../../config/secrets.ts'
import { AppError } from '../../errors.ts'
import { phonesFor } from '../../files/mask-phones.ts'
import { loadViewer, type Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { mustFindActivity } from './activities.ts'
import type { activityChoices } from './choices.ts'
import type { controlComparisons } from './control-comparisons.ts'
import type { ActivityDeps } from './deps.ts'
import type { readActivities } from './read.ts'

const TOKEN_BYTES = 32
const DAY_S = 86_400
/** Openings are audited once in this time for each link: a page may be reloaded all day. */
const AUDITED_EVERY_S = 3600
/** Found by chance, it says whose it is. */
const PREFIX = 'rql_'

type Deps = Pick<ActivityDeps, 'db'> & { publicUrl: string | undefined }

/** Read-only links to day reports. A link shows what its maker may see now, and nothing once they may not. */
export function reportLinks(
  { db, publicUrl }: Deps,
  read: ReturnType<typeof readActivities>,
  choices: ReturnType<typeof activityChoices>,
  compareControl: ReturnType<typeof controlComparisons>,
) {
  /** A link that works, with its maker as somebody who opens it may act. */
  async function opening(token: string) {
    const link = await db
      .selectFrom('report_link')
      .innerJoin('campaign', 'campaign.id', 'report_link.campaign_id')
      .selectAll('report_link')
      .select('campaign.adv_id')
      .where('token_hash', '=', fingerprint(token))
      .where('report_link.revoked_at', 'is', null)
      .where('report_link.expires_at', '>', now())
      .executeTakeFirst()
    const maker = link && (await loadViewer(db, link.viewer_id))
    if (!link || !maker) throw new AppError('reportLinkGone')
    // Whoever opens it is nobody we know.
    const viewer: Viewer = { ...maker, see_phones: false }
    return { link, viewer }
  }
  /** What the maker may no longer see is gone for everybody. */
  const orGone = <T>(read: Promise<T>): Promise<T> =>
    read.catch((error) => {
      const isGone = error instanceof AppError && error.fault === 'notFound'
      throw isGone ? new AppError('reportLinkGone') : error
    })

  const working = (campaign_id: number) =>
    db
      .selectFrom('report_link')
      .where('campaign_id', '=', campaign_id)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now())

  return {
    async list(viewer: Viewer, campaign_id: number): Promise<{ list: ReportLink[] }> {
      await mustFindActivity(db, viewer, campaign_id)
      const rows = await working(campaign_id)
        .innerJoin('viewer', 'viewer.id', 'report_link.viewer_id')
        .select(['report_link.id', 'report_link.created_at', 'viewer.realname', 'viewer.username'])
        .select(['report_link.expires_at', 'report_link.opened', 'report_link.last_opened_at'])
        .orderBy('report_link.id', 'desc')
        .execute()
      return { list: rows.map(({ realname, username, ...row }) => ({ ...row, creator: realname || username })) }
    },

    make: (viewer: Viewer, { campaign_id, days }: z.output<typeof makeReportLink.body>) =>
      transaction(db, async (tx) => {
        const { adv_id } = await mustFindActivity(tx, viewer, campaign_id)
        await tx.selectFrom('campaign').select('id').where('id', '=', campaign_id).forUpdate().execute()
        const { n } = await tx
          .selectFrom('report_link')
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .where('campaign_id', '=', campaign_id)
          .where('revoked_at', 'is', null)
          .where('expires_at', '>', now())
          .executeTakeFirstOrThrow()
        if (Number(n) >= REPORT_LINKS_MAX) throw new AppError('reportLinksFull', { max: REPORT_LINKS_MAX })
        const token = PREFIX + randomBytes(TOKEN_BYTES).toString('base64url')
        const expires_at = now() + days * DAY_S
        const { id } = await tx
          .insertInto('report_link')
          .values({
            ...{ campaign_id, viewer_id: viewer.id, token_hash: fingerprint(token) },
            ...{ created_at: now(), expires_at },
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await audit(tx, viewer, 'report_link.make', { id, adv_id, activity: campaign_id, days })
        // Behind the #, so that the token appears in no log and no Referer.
        return { id, url: `${publicUrl ?? ''}/shared/day-report#${token}`, expires_at }
      }),

    revoke: (viewer: Viewer, id: number) =>
      transaction(db, async (tx) => {
        const row = await tx
          .selectFrom('report_link')
          .innerJoin('campaign', 'campaign.id', 'report_link.campaign_id')
          .select(['report_link.id', 'campaign.adv_id', 'report_link.campaign_id'])
          .where('report_link.id', '=', id)
          .where('report_link.revoked_at', 'is', null)
          .executeTakeFirst()
        if (!row || !viewer.isMember(row.adv_id)) throw new AppError('notFound', { what: '链接' })
        await tx.updateTable('report_link').set({ revoked_at: now() }).where('id', '=', id).execute()
        await audit(tx, viewer, 'report_link.revoke', { id, adv_id: row.adv_id, activity: row.campaign_id })
        return null
      }),

    /** Ends the links of a viewer who is disabled or deleted, for good; returns how many worked. */
    async revokeOf(tx: Kysely<Database>, viewer_id: number): Promise<number> {
      const revoked = await tx
        .updateTable('report_link')
        .set({ revoked_at: now() })
        .where('viewer_id', '=', viewer_id)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now())
        .executeTakeFirst()
      return Number(revoked.numUpdatedRows)
    },

    async open(
      { token, time_range }: z.output<typeof openReportLink.body>,
      address: string,
    ): Promise<z.output<typeof openReportLink.data>> {
      const { link, viewer } = await opening(token)
      const report = await orGone(read.dayReport(viewer, { campaign_id: link.campaign_id, time_range }))
      const { columns, chosen } = await choices.columns(viewer)
      const place = new Map(chosen.map((key, at) => [key, at]))
      await opened(link, address)
      return {
        ...report,
        name: phonesFor(viewer)(report.name),
        columns: columns.toSorted(
          (one, other) => (place.get(one.key) ?? columns.length) - (place.get(other.key) ?? columns.length),
        ),
        expires_at: link.expires_at,
      }
    },

    /** Belongs to the page that `open` has opened, so that it counts as no opening of its own. */
    async openControl({
      token,
      ...asked
    }: z.output<typeof openReportLinkControl.body>): Promise<z.output<typeof openReportLinkControl.data>> {
      const { link, viewer } = await opening(token)
      const { crowds, list } = await orGone(compareControl(viewer, { campaign_id: link.campaign_id, ...asked }))
      const say = phonesFor(viewer)
      return { crowds, list: list.map((one) => ({ ...one, name: say(one.name), unpushed: one.unpushed.map(say) })) }
    },
  }

  async function opened(
    link: { id: number; campaign_id: number; adv_id: number; last_opened_at: number | null },
    address: string,
  ) {
    await transaction(db, async (tx) => {
      await tx
        .updateTable('report_link')
        .set((eb) => ({ opened: eb('opened', '+', 1), last_opened_at: now() }))
        .where('id', '=', link.id)
        .execute()
      if ((link.last_opened_at ?? 0) > now() - AUDITED_EVERY_S) return
      await audit(tx, null, 'report_link.open', {
        ...{ id: link.id, activity: link.campaign_id },
        adv_id: link.adv_id,
        address,
      })
    })
  }
}
