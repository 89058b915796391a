import type { Kysely, Transaction } from 'kysely'
import { editRefusal } from '#contract/custom-crowd-rules.ts'
import { lockCrowdsOfAll } from '../../crowds/crowd-lock.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { type CrowdRow, crowdRows, presentAll } from './store.ts'

const MISSING = { what: '自定义人群' }

/** What a change of uploaded crowds looks at before it is made, and the locks under which it then stays true. */
export function crowdChecks(db: Kysely<Database>) {
  async function mustFindAll(tx: Kysely<Database>, viewer: Viewer, ids: readonly number[]): Promise<CrowdRow[]> {
    const wanted = [...new Set(ids)]
    const rows = await crowdRows(tx).where('custom_crowd.id', 'in', wanted).orderBy('custom_crowd.id').execute()
    if (rows.length < wanted.length || rows.some((row) => !viewer.isMember(row.adv_id))) {
      throw new AppError('notFound', MISSING)
    }
    return rows
  }

  async function mustFind(tx: Kysely<Database>, viewer: Viewer, id: number): Promise<CrowdRow> {
    const [row] = await mustFindAll(tx, viewer, [id])
    if (!row) throw new AppError('notFound', MISSING)
    return row
  }

  /** One change of an advertiser's crowds at a time, those of rules too: what was checked is then still true. */
  async function change<T>(viewer: Viewer, ids: readonly number[], work: (tx: Transaction<Database>) => Promise<T>) {
    const crowds = await mustFindAll(db, viewer, ids)
    return changeOf(
      crowds.map((crowd) => crowd.adv_id),
      work,
    )
  }

  const changeOf = <T>(adv_ids: readonly number[], work: (tx: Transaction<Database>) => Promise<T>) =>
    transaction(db, async (tx) => {
      await lockCrowdsOfAll(tx, adv_ids)
      return work(tx)
    })

  /** Holds the folder too: it is shared by advertisers, and a name that is free stays so until the transaction ends. */
  async function mustHaveFolder(tx: Kysely<Database>, dir_id: number): Promise<{ name: string }> {
    const folder = await tx
      .selectFrom('custom_folder')
      .select('name')
      .where('id', '=', dir_id)
      .forUpdate()
      .executeTakeFirst()
    if (!folder) throw new AppError('notFound', { what: '文件夹' })
    return folder
  }

  async function mustBeFree(tx: Kysely<Database>, dir_id: number, name: string, except: readonly number[] = []) {
    const taken = await tx
      .selectFrom('custom_crowd')
      .select('id')
      .where('dir_id', '=', dir_id)
      .where('name', '=', name)
      .where('deleted_at', 'is', null)
      .where('id', 'not in', [0, ...except])
      .executeTakeFirst()
    if (taken) throw new AppError('nameTaken')
  }

  /** The web asks by the same rule. */
  async function mustBeEditable(tx: Kysely<Database>, row: CrowdRow) {
    const [crowd] = await presentAll(tx, [row])
    const reason = crowd ? editRefusal(crowd) : null
    if (reason) throw new AppError('customNotEditable', { reason })
  }

  /** Rule crowds that use it as a history crowd; expired ones too, since their expiry may be extended. */
  const usersOf = (tx: Kysely<Database>, id: number) =>
    tx
      .selectFrom('crowd_use')
      .innerJoin('people', 'people.id', 'crowd_use.people_id')
      .select(['people.id', 'people.name'])
      .where('crowd_use.uses_kind', '=', 'crowd')
      .where('crowd_use.uses_id', '=', id)
      .where('people.deleted_at', 'is', null)
      .orderBy('people.id')
      .execute()

  return { mustFind, mustFindAll, change, changeOf, mustHaveFolder, mustBeFree, mustBeEditable, usersOf }
}
export type CrowdChecks = ReturnType<typeof crowdChecks>
