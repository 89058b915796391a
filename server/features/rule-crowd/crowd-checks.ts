import type { Kysely, Transaction } from 'kysely'
import { lockCrowdsOfAll } from '../../crowds/crowd-lock.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { crowdRows, present } from './store.ts'

/** What a change of crowds looks at before it is made, and the locks under which it then stays true. */
export function crowdChecks(db: Kysely<Database>, capacity: number) {
  /** One change of an advertiser's crowds at a time: quotas, names and cycles are then what was checked. */
  const change = <T>(adv_id: number, work: (tx: Transaction<Database>) => Promise<T>) => changeOf([adv_id], work)

  const changeOf = <T>(adv_ids: readonly number[], work: (tx: Transaction<Database>) => Promise<T>) =>
    transaction(db, async (tx) => {
      await lockCrowdsOfAll(tx, adv_ids)
      return work(tx)
    })

  async function changeAll(viewer: Viewer, ids: readonly number[], work: (tx: Transaction<Database>) => Promise<void>) {
    const crowds = await mustFindAll(db, viewer, ids)
    await changeOf(
      crowds.map((crowd) => crowd.adv_id),
      work,
    )
  }

  async function mustFind(tx: Kysely<Database>, viewer: Viewer, id: number) {
    const row = await crowdRows(tx, now()).where('people.id', '=', id).executeTakeFirst()
    if (!row || !viewer.isMember(row.adv_id)) throw new AppError('notFound', { what: '人群包' })
    return present(row, now())
  }

  async function mustFindAll(tx: Kysely<Database>, viewer: Viewer, ids: readonly number[]) {
    const wanted = [...new Set(ids)]
    const rows = await crowdRows(tx, now()).where('people.id', 'in', wanted).orderBy('people.id').execute()
    if (rows.length < wanted.length || rows.some((row) => !viewer.isMember(row.adv_id))) {
      throw new AppError('notFound', { what: '人群包' })
    }
    return rows.map((row) => present(row, now()))
  }

  /** Holds the folder too: it is shared by advertisers, and a name that is free stays so until the transaction ends. */
  async function mustHaveFolder(tx: Kysely<Database>, dirId: number) {
    const folder = await tx
      .selectFrom('asset_folder')
      .select('id')
      .where('id', '=', dirId)
      .forUpdate()
      .executeTakeFirst()
    if (!folder) throw new AppError('notFound', { what: '文件夹' })
  }

  async function mustBeFree(tx: Kysely<Database>, dirId: number, name: string, except: readonly number[] = []) {
    const taken = await tx
      .selectFrom('people')
      .select('id')
      .where('dir_id', '=', dirId)
      .where('name', '=', name)
      .where('deleted_at', 'is', null)
      .where('id', 'not in', [0, ...except])
      .executeTakeFirst()
    if (taken) throw new AppError('nameTaken')
  }

  async function used(tx: Kysely<Database>, adv_id: number): Promise<number> {
    const row = await tx
      .selectFrom('people')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('adv_id', '=', adv_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
    return row.n
  }

  async function mustHaveRoom(tx: Kysely<Database>, adv_id: number, more: number) {
    if ((await used(tx, adv_id)) + more > capacity) throw new AppError('quotaFull', { capacity })
  }

  /** What still uses crowds, other crowds among `leaving` not counted: live plans first. */
  async function usersOf(tx: Kysely<Database>, id: number, leaving: readonly number[] = []) {
    const plans = await tx
      .selectFrom('plan_use')
      .select(['plan_id as id', 'plan_name as name'])
      .where('people_id', '=', id)
      .where('live', '=', true)
      .orderBy('plan_id')
      .execute()
    const crowds = await tx
      .selectFrom('crowd_use')
      .innerJoin('people', 'people.id', 'crowd_use.people_id')
      .select(['people.id', 'people.name'])
      .where('crowd_use.uses_kind', '=', 'crowd')
      .where('crowd_use.uses_id', '=', id)
      .where('people.deleted_at', 'is', null)
      .where('people.id', 'not in', [0, ...leaving])
      .orderBy('people.id')
      .execute()
    return [
      ...plans.map((plan) => ({ kind: 'plan' as const, ...plan })),
      ...crowds.map((crowd) => ({ kind: 'crowd' as const, ...crowd })),
    ]
  }

  return { change, changeOf, changeAll, mustFind, mustFindAll, mustHaveFolder, mustBeFree, mustHaveRoom, used, usersOf }
}
export type CrowdChecks = ReturnType<typeof crowdChecks>
