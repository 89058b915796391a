import type { Kysely, Transaction } from 'kysely'
import type { z } from 'zod'
import { covers, type listAdvertisers } from '#contract/advertiser.ts'
import { SCOPE_ALL } from '#contract/platform.ts'
import { AppError } from '../../errors.ts'
import { phonesFor } from '../../files/mask-phones.ts'
import { keptText } from '../../files/written-names.ts'
import type { Viewer } from '../../http/viewer.ts'
import { accountAuthorisations, authorisationOf } from '../../platforms/account-state.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { accountsOf, type PackageQuotas } from './platform-accounts.ts'
import { takeBack } from './take-back.ts'

interface Deps {
  db: Kysely<Database>
  /** What a new advertiser starts with: its built-in tags. */
  onCreated(tx: Transaction<Database>, adv_id: number): Promise<void>
  packageQuotas: PackageQuotas
}

export function advertiserService({ db, onCreated, packageQuotas }: Deps) {
  async function create(
    tx: Transaction<Database>,
    viewer: Viewer | null,
    name: string,
    is_demo = false,
  ): Promise<number> {
    const row = await tx
      .insertInto('advertiser')
      .values({ name, is_demo, created_at: now() })
      .onConflict((oc) => oc.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!row) throw new AppError('advertiserNameTaken')
    await onCreated(tx, row.id)
    await audit(tx, viewer, 'advertiser.create', { id: row.id, name })
    return row.id
  }

  return {
    create: (viewer: Viewer | null, name: string, options: { is_demo?: boolean } = {}) =>
      transaction(db, (tx) => create(tx, viewer, name, options.is_demo)),

    takeBack: (id: number, import_id: number | null) => takeBack(db, id, import_id),

    async rename(viewer: Viewer, id: number, name: string): Promise<void> {
      await transaction(db, async (tx) => {
        const taken = await tx
          .selectFrom('advertiser')
          .select('id')
          .where('name', '=', name)
          .where('id', '!=', id)
          .executeTakeFirst()
        if (taken) throw new AppError('advertiserNameTaken')
        const done = await tx.updateTable('advertiser').set({ name }).where('id', '=', id).executeTakeFirst()
        if (!done.numUpdatedRows) throw new AppError('notFound', { what: '广告主' })
        await audit(tx, viewer, 'advertiser.rename', { id, name })
      })
    },

    /** Stores what a viewer wrote about a platform account. */
    async remark(viewer: Viewer, account_id: number, wanted: string): Promise<void> {
      await transaction(db, async (tx) => {
        const account = await tx
          .selectFrom('platform_account')
          .select(['adv_id', 'remark'])
          .where('id', '=', account_id)
          .executeTakeFirst()
        if (!account || !viewer.isMember(account.adv_id)) throw new AppError('notFound', { what: '平台账户' })
        const remark = keptText(viewer, wanted, account.remark)
        await tx.updateTable('platform_account').set({ remark }).where('id', '=', account_id).execute()
        await audit(tx, viewer, 'advertiser.remark_account', { account_id, remark })
      })
    },

    /** Lists the viewer's advertisers (auth_type -1), or their accounts on a platform (its number). */
    async list(viewer: Viewer, query: z.output<typeof listAdvertisers.query>) {
      const mine = viewer.adv_ids.filter((id) => query.adv_id === undefined || id === query.adv_id)
      const rows =
        mine.length === 0 ? [] : query.auth_type === -1 ? await advertisers(mine) : await accounts(mine, query)
      const named = query.name ? rows.filter((row) => isFound(row, query.name ?? '', phonesFor(viewer))) : rows
      const from = (query.page - 1) * query.per_page
      return { data: named.slice(from, from + query.per_page), total: named.length }
    },

    async data(viewer: Viewer) {
      if (viewer.adv_ids.length === 0) return { list: [] }
      const [rows, people, accounts] = await Promise.all([
        db.selectFrom('advertiser').selectAll().where('id', 'in', viewer.adv_ids).orderBy('id').execute(),
        // 全部用户, the only built-in tag, counts all people of the advertiser.
        db.selectFrom('tag').select(['adv_id', 'count']).where('is_built_in', '=', true).execute(),
        accountsOf(db, packageQuotas, viewer.adv_ids),
      ])
      return {
        list: rows.map((row) => ({
          ...row,
          people: people.find((tag) => tag.adv_id === row.id)?.count ?? 0,
          accounts: accounts.filter((account) => account.adv_id === row.id),
        })),
      }
    },
  }

  async function advertisers(ids: readonly number[]) {
    const rows = await db
      .selectFrom('advertiser')
      .select(['id', 'name', 'is_demo'])
      .where('id', 'in', ids)
      .orderBy('id')
      .execute()
    return rows.map((row) => ({ ...row, scope_list: [SCOPE_ALL] }))
  }

  /** Scopes count only while the account is authorised. */
  async function accounts(ids: readonly number[], query: { auth_type: number; scope?: string[] | undefined }) {
    const all = await accountAuthorisations(db)
      .select([
        'platform_account.name',
        'platform_account.scope_list',
        'platform_account.external_id',
        'platform_account.remark',
      ])
      .where('platform_account.adv_id', 'in', ids)
      .where('platform_account.platform', '=', query.auth_type)
      .orderBy('platform_account.id')
      .execute()
    const rows = all.map((row) => {
      const { state } = authorisationOf(row)
      return {
        id: row.id,
        name: row.name,
        external_id: row.external_id,
        remark: row.remark,
        scope_list: ['authorised', 'none'].includes(state) ? row.scope_list : [],
        is_authorised: state === 'authorised',
      }
    })
    return rows
      .filter((row) => !query.scope?.length || covers(row.scope_list, query.scope))
      .toSorted((one, other) => Number(other.is_authorised) - Number(one.is_authorised))
  }
}

interface Found {
  name: string
  external_id?: string
  remark?: string
}
/** Whether the name, or an account's id or remark, contains the text. `say`: what the viewer sees of what people wrote. */
function isFound({ name, external_id = '', remark = '' }: Found, text: string, say: (text: string) => string): boolean {
  const wanted = text.trim().toLowerCase()
  return [say(name), external_id, say(remark)].some((one) => one.toLowerCase().includes(wanted))
}
export type AdvertiserService = ReturnType<typeof advertiserService>
