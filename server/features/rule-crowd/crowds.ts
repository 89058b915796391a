import type { Kysely, Transaction } from 'kysely'
import type { z } from 'zod'
import { NAME_MAX } from '#contract/common.ts'
import { emptyLeavesOf, type RuleNode, subTagsOf } from '#contract/rule.ts'
import {
  type createPeople,
  type listPeople,
  mayDelete,
  mayEdit,
  PEOPLE_STATUS,
  RESTORE_SECONDS,
  type updatePeople,
} from '#contract/rule-crowd.ts'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import { now } from '../../clock.ts'
import { endOfDay, timeText } from '../../day.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import { lockCrowds } from '../../postgres/crowd-lock.ts'
import { holding } from '../../postgres/like.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import type { CrowdComputing } from './compute.ts'
import { cycleThrough, expiredAmong, referencesOf } from './references.ts'
import { crowdRows, present, statusSql } from './store.ts'

interface Needs {
  db: Kysely<Database>
  evaluator: RuleEvaluator
  timezone: string
  /** Crowds an advertiser may have. */
  capacity: number
  computing: CrowdComputing
}

/** What a copy of an expired crowd gets to live. */
const COPY_LIFE_SECONDS = 30 * 86_400
/** An undo that began in the last second has ended by then, and keeps its members. */
const PURGE_MARGIN_SECONDS = 300

export function crowdService({ db, evaluator, timezone, capacity, computing }: Needs) {
  /** One change of an advertiser's crowds at a time: quotas, names and cycles are then what was checked. */
  const change = <T>(adv_id: number, work: (tx: Transaction<Database>) => Promise<T>) =>
    transaction(db, async (tx) => {
      await lockCrowds(tx, adv_id)
      return work(tx)
    })

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

  /** The day's last second; a day before today is refused. */
  function expiryOf(seconds: number): number {
    const end = endOfDay(seconds, timezone)
    if (end < now()) throw new AppError('crowdExpiryPast')
    return end
  }

  /** The rule a crowd is about to take: whole, its own, and free of expired crowds and of the crowd itself. */
  async function mustBeSound(tx: Kysely<Database>, adv_id: number, rId: number, people_id: number | null) {
    const rule = await tx.selectFrom('rule').selectAll().where('id', '=', rId).forUpdate().executeTakeFirst()
    if (!rule || rule.adv_id !== adv_id) throw new AppError('notFound', { what: '规则' })
    const taken = await tx.selectFrom('people').select('id').where('rule_id', '=', rId).executeTakeFirst()
    if (taken && taken.id !== people_id) throw new AppError('ruleTaken')
    if (!rule.def || emptyLeavesOf(rule.def).length > 0) throw new AppError('ruleEmptyLeaf')
    const references = await referencesOf(tx, adv_id, rule.def)
    const expired = expiredAmong(references, now())
    if (expired) throw new AppError('ruleExpiredCrowd', { name: expired.name })
    const cycle = people_id === null ? null : await cycleThrough(tx, people_id, rule.def)
    if (cycle) throw new AppError('ruleCycle', { path: cycle.join(' → ') })
    return rule.def
  }

  async function writeUses(tx: Kysely<Database>, people_id: number, def: RuleNode) {
    await tx.deleteFrom('crowd_use').where('people_id', '=', people_id).execute()
    await tx
      .insertInto('crowd_use')
      .values(
        subTagsOf(def).map((t) => ({
          people_id,
          uses_kind: t.tag_type === 3 ? ('crowd' as const) : ('tag' as const),
          uses_id: t.id,
        })),
      )
      .execute()
  }

  async function insert(
    tx: Transaction<Database>,
    viewer: Viewer,
    crowd: { adv_id: number; name: string; dir_id: number; rule_id: number; invalid_time: number },
    def: RuleNode,
  ) {
    const row = await tx
      .insertInto('people')
      .values({ ...crowd, creator_id: viewer.id, created_at: now(), saved_by: viewer.id, saved_at: now() })
      .returning(['id', 'tag_id'])
      .executeTakeFirstOrThrow()
    await writeUses(tx, row.id, def)
    await computing.enqueue(tx, { id: row.id, adv_id: crowd.adv_id, name: crowd.name }, viewer.id)
    return row
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

  return {
    async list(viewer: Viewer, query: z.output<typeof listPeople.query>) {
      const mine = viewer.adv_ids.filter((id) => query.adv_id === undefined || id === query.adv_id)
      if (query.adv_id !== undefined) viewer.mustBeMember(query.adv_id)
      if (mine.length === 0) return { res: [], total: 0 }
      const at = now()
      const status = query.ordinary ? (['completed', 'in_use'] as const) : query.status
      let rows = crowdRows(db, at).where('people.adv_id', 'in', mine)
      if (query.name) rows = rows.where('people.name', 'ilike', holding(query.name))
      if (query.creator_id?.length) rows = rows.where('people.creator_id', 'in', query.creator_id)
      if (query.creator) {
        const like = holding(query.creator)
        rows = rows.where((eb) => eb.or([eb('viewer.realname', 'ilike', like), eb('viewer.username', 'ilike', like)]))
      }
      if (query.tag_id) rows = rows.where('people.tag_id', '=', query.tag_id)
      if (query.dir_id) rows = rows.where('people.dir_id', '=', query.dir_id)
      if (query.created_at) {
        const [from, to] = query.created_at
        rows = rows.where('people.created_at', '>=', from).where('people.created_at', '<=', to)
      }
      if (status?.length) rows = rows.where(statusSql(at), 'in', [...status])
      const { total } = await rows
        .clearSelect()
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      const direction = query.sort === 'created_at' ? 'asc' : 'desc'
      const page = await rows
        .orderBy('people.created_at', direction)
        .orderBy('people.id', direction)
        .limit(query.page_size)
        .offset((query.page - 1) * query.page_size)
        .execute()
      return { res: page.map((row) => present(row, at)), total }
    },

    get: (viewer: Viewer, id: number) => mustFind(db, viewer, id),

    async create(viewer: Viewer, wanted: z.output<typeof createPeople.body>) {
      const draft = await db.selectFrom('rule').select('adv_id').where('id', '=', wanted.rId).executeTakeFirst()
      if (!draft || !viewer.isMember(draft.adv_id)) throw new AppError('notFound', { what: '规则' })
      const invalid_time = expiryOf(wanted.invalidTime)
      const { adv_id } = draft
      return change(adv_id, async (tx) => {
        await mustHaveFolder(tx, wanted.dirId)
        const def = await mustBeSound(tx, adv_id, wanted.rId, null)
        await mustBeFree(tx, wanted.dirId, wanted.name)
        await mustHaveRoom(tx, adv_id, 1)
        const crowd = { adv_id, name: wanted.name, dir_id: wanted.dirId, rule_id: wanted.rId, invalid_time }
        const { id, tag_id } = await insert(tx, viewer, crowd, def)
        await audit(tx, viewer, 'people.create', { id, ...crowd })
        return { id, tagId: tag_id }
      })
    },

    async update(viewer: Viewer, id: number, wanted: z.output<typeof updatePeople.body>) {
      const found = await mustFind(db, viewer, id)
      return change(found.adv_id, async (tx) => {
        await tx.selectFrom('people').select('id').where('id', '=', id).forUpdate().execute()
        const crowd = await mustFind(tx, viewer, id)
        const moves = wanted.dirId !== undefined && wanted.dirId !== crowd.dirId
        const edits = wanted.rId !== undefined || wanted.name !== undefined || wanted.invalidTime !== undefined
        if (edits && wanted.ver === undefined) throw new AppError('badInput', { reason: '缺少 ver：请重新打开编辑页' })
        if (wanted.ver !== undefined && wanted.ver !== crowd.ver) await refuseStale(tx, id, crowd)
        if (edits && !mayEdit(crowd.status)) {
          throw new AppError('crowdStatusBars', { status: PEOPLE_STATUS[crowd.status], action: '编辑' })
        }
        const dir_id = wanted.dirId ?? crowd.dirId
        const name = wanted.name ?? crowd.name
        if (moves || name !== crowd.name) {
          await mustHaveFolder(tx, dir_id)
          await mustBeFree(tx, dir_id, name, [id])
        }
        const newRule = wanted.rId !== undefined && wanted.rId !== crowd.rId
        const def = newRule ? await mustBeSound(tx, crowd.adv_id, wanted.rId as number, id) : null
        // An expired crowd may be renamed as it is; a changed day must lie ahead.
        const sameDay = wanted.invalidTime !== undefined && endOfDay(wanted.invalidTime, timezone) === crowd.invalidTime
        const invalid_time =
          wanted.invalidTime === undefined || sameDay ? crowd.invalidTime : expiryOf(wanted.invalidTime)
        const { ver } = await tx
          .updateTable('people')
          .set((eb) => ({
            name,
            dir_id,
            invalid_time,
            ver: eb('ver', '+', 1),
            saved_by: viewer.id,
            saved_at: now(),
            ...(def ? { rule_id: wanted.rId as number, rule_changed: true, fail_reason: null } : {}),
          }))
          .where('id', '=', id)
          .returning('ver')
          .executeTakeFirstOrThrow()
        if (def) await writeUses(tx, id, def)
        if (def || invalid_time > crowd.invalidTime) {
          await computing.enqueue(tx, { id, adv_id: crowd.adv_id, name }, viewer.id)
        }
        await audit(tx, viewer, 'people.update', { id, ...wanted })
        return { ver }
      })
    },

    remove: (viewer: Viewer, ids: readonly number[]) =>
      changeAll(viewer, ids, async (tx) => {
        const crowds = await mustFindAll(tx, viewer, ids)
        for (const crowd of crowds) {
          const users = await usersOf(tx, crowd.id, ids)
          const by = users.map((user) => user.name).join('、')
          if (users.some((user) => user.kind === 'plan'))
            throw new AppError('crowdInUse', { name: crowd.name }, { users })
          if (users.length > 0) throw new AppError('crowdReferenced', { name: crowd.name, by }, { users })
          if (!mayDelete(crowd.status)) {
            throw new AppError('crowdStatusBars', { status: PEOPLE_STATUS[crowd.status], action: '删除' })
          }
        }
        await tx
          .updateTable('people')
          .set((eb) => ({ deleted_at: now(), ver: eb('ver', '+', 1), task_id: null }))
          .where('id', 'in', [...ids])
          .execute()
        await audit(tx, viewer, 'people.delete', { ids })
      }),

    /** Undoes deletions while the members are still kept; the rule must still be sound. */
    async restore(viewer: Viewer, ids: readonly number[]): Promise<void> {
      const rows = await db
        .selectFrom('people')
        .select(['id', 'adv_id'])
        .where('id', 'in', [...ids])
        .where('deleted_at', '>', now() - RESTORE_SECONDS)
        .execute()
      if (rows.length < new Set(ids).size || rows.some((row) => !viewer.isMember(row.adv_id))) {
        throw new AppError('restoreGone')
      }
      for (const adv_id of new Set(rows.map((row) => row.adv_id))) {
        await change(adv_id, async (tx) => {
          const mine = rows.filter((row) => row.adv_id === adv_id).map((row) => row.id)
          await mustHaveRoom(tx, adv_id, mine.length)
          const gone = await tx
            .selectFrom('people')
            .innerJoin('rule', 'rule.id', 'people.rule_id')
            .select(['people.id', 'people.name', 'people.dir_id', 'rule.def'])
            .where('people.id', 'in', mine)
            .where('people.deleted_at', 'is not', null)
            .forUpdate('people')
            .execute()
          for (const crowd of gone) await mustBeFree(tx, crowd.dir_id, crowd.name, mine)
          await tx
            .updateTable('people')
            .set((eb) => ({ deleted_at: null, ver: eb('ver', '+', 1) }))
            .where('id', 'in', mine)
            .execute()
          for (const crowd of gone) {
            if (crowd.def) await referencesOf(tx, adv_id, crowd.def)
            await computing.enqueue(tx, { id: crowd.id, adv_id, name: crowd.name }, viewer.id)
          }
          await audit(tx, viewer, 'people.restore', { ids: mine })
        })
      }
    },

    async move(viewer: Viewer, ids: readonly number[], dirId: number): Promise<void> {
      await changeAll(viewer, ids, async (tx) => {
        await mustHaveFolder(tx, dirId)
        const crowds = await mustFindAll(tx, viewer, ids)
        for (const crowd of crowds) await mustBeFree(tx, dirId, crowd.name, [crowd.id])
        if (new Set(crowds.map((crowd) => crowd.name)).size < crowds.length) throw new AppError('nameTaken')
        await tx
          .updateTable('people')
          .set((eb) => ({ dir_id: dirId, ver: eb('ver', '+', 1), saved_by: viewer.id, saved_at: now() }))
          .where('id', 'in', [...ids])
          .execute()
        await audit(tx, viewer, 'people.move', { ids, dirId })
      })
    },

    async copy(viewer: Viewer, id: number, wanted: { name?: string | undefined; dirId?: number | undefined }) {
      const found = await mustFind(db, viewer, id)
      return change(found.adv_id, async (tx) => {
        const crowd = await mustFind(tx, viewer, id)
        const dir_id = wanted.dirId ?? crowd.dirId
        await mustHaveFolder(tx, dir_id)
        const name = wanted.name ?? (await freeCopyName(tx, dir_id, crowd.name))
        await mustBeFree(tx, dir_id, name)
        await mustHaveRoom(tx, crowd.adv_id, 1)
        const { def } = await tx.selectFrom('rule').select('def').where('id', '=', crowd.rId).executeTakeFirstOrThrow()
        if (!def) throw new AppError('ruleEmptyLeaf')
        const { id: rule_id } = await tx
          .insertInto('rule')
          .values({
            adv_id: crowd.adv_id,
            def: JSON.stringify(def),
            creator_id: viewer.id,
            created_at: now(),
            updated_at: now(),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        const alive = crowd.invalidTime >= now()
        const invalid_time = alive ? crowd.invalidTime : endOfDay(now() + COPY_LIFE_SECONDS, timezone)
        const copy = await insert(tx, viewer, { adv_id: crowd.adv_id, name, dir_id, rule_id, invalid_time }, def)
        await audit(tx, viewer, 'people.copy', { id: copy.id, from: id, name })
        return { id: copy.id, name }
      })
    },

    async compute(viewer: Viewer, id: number): Promise<void> {
      await transaction(db, async (tx) => {
        const crowd = await mustFind(tx, viewer, id)
        if (crowd.status === 'invalid') {
          throw new AppError('crowdStatusBars', { status: PEOPLE_STATUS.invalid, action: '重新计算，请先延长失效时间' })
        }
        await tx.updateTable('people').set({ fail_reason: null }).where('id', '=', id).execute()
        await computing.enqueue(tx, crowd, viewer.id)
        await audit(tx, viewer, 'people.compute', { id })
      })
    },

    async quota(viewer: Viewer, adv_id: number) {
      viewer.mustBeMember(adv_id)
      return { capacity, used: await used(db, adv_id) }
    },

    async uses(viewer: Viewer, id: number) {
      await mustFind(db, viewer, id)
      return usersOf(db, id)
    },

    /** Everyone who made a crowd that the viewer may see. */
    async creators(viewer: Viewer, keyword: string | undefined) {
      if (viewer.adv_ids.length === 0) return []
      const rows = await db
        .selectFrom('viewer')
        .select(['id', 'realname', 'username'])
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('people')
            .select('creator_id')
            .where('adv_id', 'in', viewer.adv_ids)
            .where('deleted_at', 'is', null),
        )
        .orderBy('id')
        .execute()
      return rows
        .map(({ id, realname, username }) => ({ id, realname: realname || username }))
        .filter((row) => !keyword || row.realname.includes(keyword))
    },

    /** Forgets crowds whose deletion can no longer be undone, with their members. */
    async purge(): Promise<void> {
      const gone = await db
        .selectFrom('people')
        .select(['id', 'adv_id', 'rule_id', 'compute_seq'])
        .where('deleted_at', '<', now() - RESTORE_SECONDS - PURGE_MARGIN_SECONDS)
        .limit(500)
        .execute()
      for (const { id, adv_id, rule_id, compute_seq } of gone) {
        await evaluator.dropVersions(
          adv_id,
          Array.from({ length: compute_seq }, (_, i) => ({ kind: 'crowd' as const, id, version: i + 1 })),
        )
        await transaction(db, async (tx) => {
          const { numDeletedRows } = await tx
            .deleteFrom('people')
            .where('id', '=', id)
            .where('deleted_at', 'is not', null)
            .executeTakeFirstOrThrow()
          if (numDeletedRows > 0) await tx.deleteFrom('rule').where('id', '=', rule_id).execute()
        })
      }
    },
  }

  async function changeAll(viewer: Viewer, ids: readonly number[], work: (tx: Transaction<Database>) => Promise<void>) {
    const crowds = await mustFindAll(db, viewer, ids)
    // Locks are taken in one order, so that two batches do not wait for each other.
    const advertisers = [...new Set(crowds.map((crowd) => crowd.adv_id))].sort((a, b) => a - b)
    await transaction(db, async (tx) => {
      for (const adv_id of advertisers) await lockCrowds(tx, adv_id)
      await work(tx)
    })
  }

  async function freeCopyName(tx: Kysely<Database>, dir_id: number, name: string): Promise<string> {
    const taken = new Set(
      (
        await tx
          .selectFrom('people')
          .select('name')
          .where('dir_id', '=', dir_id)
          .where('deleted_at', 'is', null)
          .execute()
      ).map((row) => row.name),
    )
    for (let n = 1; ; n++) {
      const suffix = n === 1 ? '_副本' : `_副本${n}`
      const candidate = [...name].slice(0, NAME_MAX - suffix.length).join('') + suffix
      if (!taken.has(candidate)) return candidate
    }
  }

  /** Tells the second of two editors what the first one saved. */
  async function refuseStale(tx: Kysely<Database>, id: number, saved: Awaited<ReturnType<typeof mustFind>>) {
    const { who, when, def } = await tx
      .selectFrom('people')
      .innerJoin('viewer', 'viewer.id', 'people.saved_by')
      .innerJoin('rule', 'rule.id', 'people.rule_id')
      .select(['viewer.username', 'viewer.realname', 'people.saved_at as when', 'rule.def'])
      .where('people.id', '=', id)
      .executeTakeFirstOrThrow()
      .then((row) => ({ who: row.realname || row.username, when: row.when, def: row.def }))
    throw new AppError('crowdStale', { who, when: timeText(when, timezone) }, { saved, def })
  }
}
export type CrowdService = ReturnType<typeof crowdService>
