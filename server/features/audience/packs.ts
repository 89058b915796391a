import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { CntType } from '#contract/audience.ts'
import type { AudiencePack, addAudiencePack, listAudiencePacks } from '#contract/audience-pack.ts'
import type { IdentifierType } from '#contract/identifier.ts'
import { outcome } from '#contract/outcome.ts'
import { isAudienceCode } from '#contract/platform.ts'
import type { CrowdKind } from '../../crowds/kinds.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { textHolds } from '../../postgres/like.ts'
import type { Database } from '../../postgres/schema.ts'
import { type ChildRow, childNameSql, childRows, presentChild } from './children.ts'

/** Pushes a crowd to an account, to its child there or to a new one. */
type StartPush = (
  viewer: Viewer,
  wanted: {
    id: number
    kind: CrowdKind
    advertiser_id: number
    cnt_type: CntType
    types: IdentifierType[]
    keeps_step?: boolean | undefined
  },
  signal: AbortSignal,
) => Promise<{ push_id: number; child_id: number }>

type Suffix = CntType | undefined

/** The provider service's calls over the audiences of platform accounts. */
export function audiencePacks({ db, startPush }: { db: Kysely<Database>; startPush: StartPush }) {
  const shown = (row: ChildRow): AudiencePack => ({
    ...presentChild(row),
    kind: row.custom_id === null ? 'rule' : 'custom',
  })

  async function mustFind(viewer: Viewer, id: number, cnt_type: Suffix): Promise<ChildRow> {
    const row = await childRows(db).where('audience.id', '=', id).executeTakeFirst()
    if (!row || !viewer.isMember(row.owner_id) || (cnt_type !== undefined && cnt_type !== row.cnt_type)) {
      throw new AppError('notFound', { what: '人群包' })
    }
    return row
  }

  /** The platform of the path's suffix, or the account's where the suffix is left out. */
  async function platformOf(viewer: Viewer, account_id: number, cnt_type: Suffix): Promise<CntType> {
    const account = await db
      .selectFrom('platform_account')
      .select(['adv_id', 'platform'])
      .where('id', '=', account_id)
      .executeTakeFirst()
    if (!account || !viewer.isMember(account.adv_id)) throw new AppError('notFound', { what: '平台账户' })
    if (cnt_type !== undefined) return cnt_type
    if (isAudienceCode(account.platform)) return account.platform
    throw new AppError('badInput', { reason: outcome('platform_without_audiences') })
  }

  async function push(
    viewer: Viewer,
    wanted: z.output<typeof addAudiencePack.body>,
    cnt_type: CntType,
    signal: AbortSignal,
  ) {
    const { child_id, push_id } = await startPush(viewer, { ...wanted, cnt_type }, signal)
    return { id: child_id, push_id }
  }

  /** The crowd of a pack, as a push names it. */
  const crowdOf = (row: ChildRow) => ({
    id: row.custom_id ?? row.people_id ?? 0,
    kind: row.custom_id === null ? ('rule' as const) : ('custom' as const),
    types: row.types,
  })

  return {
    async list(viewer: Viewer, cnt_type: CntType, query: z.output<typeof listAudiencePacks.query>) {
      if (viewer.adv_ids.length === 0) return { list: [], page_info: { total_number: 0 } }
      if (query.advertiser_id !== undefined) await platformOf(viewer, query.advertiser_id, cnt_type)
      let rows = childRows(db)
        .where('platform_account.adv_id', 'in', [...viewer.adv_ids])
        .where('audience.cnt_type', '=', cnt_type)
      if (query.advertiser_id !== undefined) rows = rows.where('audience.account_id', '=', query.advertiser_id)
      if (query.name) rows = rows.where(textHolds(viewer, childNameSql, query.name))
      if (query.status?.length) rows = rows.where('audience.status', 'in', query.status)
      const { total_number } = await rows
        .clearSelect()
        .clearOrderBy()
        .select((eb) => eb.fn.countAll<number>().as('total_number'))
        .executeTakeFirstOrThrow()
      const page = await rows
        .clearOrderBy()
        .orderBy('audience.id', 'desc')
        .limit(query.page_size)
        .offset((query.page - 1) * query.page_size)
        .execute()
      return { list: page.map(shown), page_info: { total_number } }
    },

    get: async (viewer: Viewer, id: number, cnt_type: Suffix) => shown(await mustFind(viewer, id, cnt_type)),

    async add(
      viewer: Viewer,
      wanted: z.output<typeof addAudiencePack.body>,
      cnt_type: Suffix,
      signal: AbortSignal,
    ): Promise<{ id: number; push_id: number }> {
      return push(viewer, wanted, await platformOf(viewer, wanted.advertiser_id, cnt_type), signal)
    },

    async update(
      viewer: Viewer,
      { id, keeps_step }: { id: number; keeps_step?: boolean | undefined },
      cnt_type: Suffix,
      signal: AbortSignal,
    ) {
      const row = await mustFind(viewer, id, cnt_type)
      const wanted = { ...crowdOf(row), advertiser_id: row.account_id, keeps_step: keeps_step ?? row.keeps_step }
      return push(viewer, wanted, row.cnt_type, signal)
    },

    async copy(
      viewer: Viewer,
      { id, advertiser_id }: { id: number; advertiser_id: number },
      cnt_type: Suffix,
      signal: AbortSignal,
    ) {
      const row = await mustFind(viewer, id, undefined)
      const to = await platformOf(viewer, advertiser_id, cnt_type)
      if (row.account_id === advertiser_id) throw new AppError('badInput', { reason: outcome('account_of_source') })
      return push(viewer, { ...crowdOf(row), advertiser_id, keeps_step: row.keeps_step }, to, signal)
    },

    platformOf,
  }
}
export type AudiencePacks = ReturnType<typeof audiencePacks>
