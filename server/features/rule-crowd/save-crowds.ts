import type { Kysely, Transaction } from 'kysely'
import type { z } from 'zod'
import { NAME_MAX } from '#contract/common.ts'
import type { CrowdSchedule } from '#contract/crowd-schedule.ts'
import { outcome } from '#contract/outcome.ts'
import type { RuleNode } from '#contract/rule.ts'
import {
  type createRuleCrowd,
  mayEdit,
  RULE_CROWD_STATUS,
  type RuleCrowd,
  type setCrowdUpdates,
  type updateRuleCrowd,
} from '#contract/rule-crowd.ts'
import { crowdMove } from '../../crowds/crowd-move.ts'
import { AppError } from '../../errors.ts'
import { keptName, mustNameNoPhone } from '../../files/written-names.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { endOfDay, timeText } from '../../time/day.ts'
import type { CrowdComputing } from './compute.ts'
import type { RuleCrowdChecks } from './crowd-checks.ts'
import { nextRun } from './next-run.ts'
import { checkRule, writeUses } from './saved-rule.ts'

interface Deps {
  db: Kysely<Database>
  timezone: string
  computing: CrowdComputing
  checks: RuleCrowdChecks
}

/** How long a copy of an expired crowd lives. */
const COPY_LIFE_SECONDS = 30 * 86_400

/** Creates, changes, moves, copies and recomputes rule crowds. */
export function saveCrowds({ db, timezone, computing, checks }: Deps) {
  const { change, changeOf, mustFind, mustHaveFolder, mustBeFree, mustHaveRoom } = checks

  /** The last second of the day; refuses a day before today. */
  function expiryOf(seconds: number): number {
    const end = endOfDay(seconds, timezone)
    if (end < now()) throw new AppError('crowdExpiryPast')
    return end
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

  async function writeChange(
    tx: Transaction<Database>,
    viewer: Viewer,
    crowd: { id: number; adv_id: number; invalidTime: number },
    row: { name: string; dir_id: number; invalid_time: number },
    rule: { def: RuleNode; rId: number } | null,
  ): Promise<number> {
    const { id, adv_id } = crowd
    const { ver } = await tx
      .updateTable('people')
      .set((eb) => ({
        ...row,
        ver: eb('ver', '+', 1),
        saved_by: viewer.id,
        saved_at: now(),
        ...(rule ? { rule_id: rule.rId, rule_changed: true, fail_reason: null } : {}),
      }))
      .where('id', '=', id)
      .returning('ver')
      .executeTakeFirstOrThrow()
    if (rule) await writeUses(tx, id, rule.def)
    if (rule || row.invalid_time > crowd.invalidTime) {
      await computing.enqueue(tx, { id, adv_id, name: row.name }, viewer.id)
    }
    return ver
  }

  async function setSchedule(tx: Transaction<Database>, crowd: RuleCrowd, schedule: CrowdSchedule): Promise<void> {
    const { id, adv_id } = crowd
    const next_at = nextRun(schedule, now(), timezone)
    await tx
      .updateTable('people')
      .set({ schedule: next_at === null ? null : JSON.stringify(schedule), next_at })
      .where('id', '=', id)
      .execute()
    // What waited for a time of its own waits for none any more.
    if (next_at === null && crowd.dataChanged && crowd.status !== 'invalid') {
      await computing.recompute(tx, [{ id, adv_id, due_at: now() }])
    }
  }

  return {
    async create(viewer: Viewer, wanted: z.output<typeof createRuleCrowd.body>) {
      const draft = await db.selectFrom('rule').select('adv_id').where('id', '=', wanted.rId).executeTakeFirst()
      if (!draft || !viewer.isMember(draft.adv_id)) throw new AppError('notFound', { what: '规则' })
      const invalid_time = expiryOf(wanted.invalidTime)
      const { adv_id } = draft
      return changeOf([adv_id], async (tx) => {
        await mustHaveFolder(tx, wanted.dirId)
        const def = await checkRule(tx, adv_id, wanted.rId, null)
        mustNameNoPhone(viewer, wanted.name)
        await mustBeFree(tx, wanted.dirId, wanted.name)
        await mustHaveRoom(tx, adv_id, 1)
        const crowd = { adv_id, name: wanted.name, dir_id: wanted.dirId, rule_id: wanted.rId, invalid_time }
        const { id, tag_id } = await insert(tx, viewer, crowd, def)
        await audit(tx, viewer, 'people.create', { id, ...crowd })
        return { id, tagId: tag_id }
      })
    },

    async update(viewer: Viewer, id: number, wanted: z.output<typeof updateRuleCrowd.body>) {
      return change(viewer, [id], async (tx) => {
        await tx.selectFrom('people').select('id').where('id', '=', id).forUpdate().execute()
        const crowd = await mustFind(tx, viewer, id)
        const moves = wanted.dirId !== undefined && wanted.dirId !== crowd.dirId
        const edits = wanted.rId !== undefined || wanted.name !== undefined || wanted.invalidTime !== undefined
        if (edits && wanted.ver === undefined)
          throw new AppError('badInput', { reason: outcome('rule_crowd_ver_missing') })
        if (wanted.ver !== undefined && wanted.ver !== crowd.ver) await refuseStale(tx, id, crowd, timezone)
        if (edits && !mayEdit(crowd.status)) {
          throw new AppError('crowdStatusBars', { status: RULE_CROWD_STATUS[crowd.status], action: '编辑' })
        }
        const dir_id = wanted.dirId ?? crowd.dirId
        const name = keptName(viewer, wanted.name, crowd.name)
        if (moves || name !== crowd.name) {
          await mustHaveFolder(tx, dir_id)
          await mustBeFree(tx, dir_id, name, [id])
        }
        const newRule = wanted.rId !== undefined && wanted.rId !== crowd.rId
        const def = newRule ? await checkRule(tx, crowd.adv_id, wanted.rId as number, id) : null
        // An expired crowd may be renamed; a changed day must lie ahead.
        const sameDay = wanted.invalidTime !== undefined && endOfDay(wanted.invalidTime, timezone) === crowd.invalidTime
        const invalid_time =
          wanted.invalidTime === undefined || sameDay ? crowd.invalidTime : expiryOf(wanted.invalidTime)
        const changes = moves || def || name !== crowd.name || invalid_time !== crowd.invalidTime
        if (!changes) return { id, tagId: crowd.tagId, ver: crowd.ver }
        const ver = await writeChange(
          tx,
          viewer,
          crowd,
          { name, dir_id, invalid_time },
          def && { def, rId: wanted.rId as number },
        )
        await audit(tx, viewer, 'people.update', { id, ...wanted })
        return { id, tagId: crowd.tagId, ver }
      })
    },

    move: crowdMove(
      'rule',
      checks,
      (crowd) => crowd.dirId,
      async (tx, viewer, ids, to) => {
        await tx
          .updateTable('people')
          .set((eb) => ({ ver: eb('ver', '+', 1), saved_by: viewer.id, saved_at: now() }))
          .where('id', 'in', ids)
          .execute()
        await audit(tx, viewer, 'people.move', { ids, dirId: to.id })
      },
    ),

    async copy(viewer: Viewer, id: number, wanted: { name?: string | undefined; dirId?: number | undefined }) {
      return change(viewer, [id], async (tx) => {
        const crowd = await mustFind(tx, viewer, id)
        const dir_id = wanted.dirId ?? crowd.dirId
        await mustHaveFolder(tx, dir_id)
        if (wanted.name !== undefined) mustNameNoPhone(viewer, wanted.name)
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

    /**
     * Sets when a crowd is recomputed and which changes are told. It is no change of the crowd itself, so whoever edits it
     * meanwhile may save.
     */
    async setUpdates(viewer: Viewer, id: number, wanted: z.output<typeof setCrowdUpdates.body>) {
      return change(viewer, [id], async (tx) => {
        const crowd = await mustFind(tx, viewer, id)
        if (wanted.schedule) await setSchedule(tx, crowd, wanted.schedule)
        if (wanted.tellShare !== undefined) await setTellShare(tx, id, wanted.tellShare)
        await audit(tx, viewer, 'people.updates', { id, ...wanted })
        return { nextAt: (await mustFind(tx, viewer, id)).nextAt }
      })
    },

    async compute(viewer: Viewer, id: number): Promise<void> {
      await transaction(db, async (tx) => {
        const crowd = await mustFind(tx, viewer, id)
        if (crowd.status === 'invalid') {
          throw new AppError('crowdStatusBars', {
            status: RULE_CROWD_STATUS.invalid,
            action: '重新计算，请先延长失效时间',
          })
        }
        await tx.updateTable('people').set({ fail_reason: null }).where('id', '=', id).execute()
        await computing.enqueue(tx, crowd, viewer.id)
        await audit(tx, viewer, 'people.compute', { id })
      })
    },
  }
}

/** Changes are compared with the version in force; another share keeps the version that was told last. */
async function setTellShare(tx: Transaction<Database>, id: number, tell_share: number | null): Promise<void> {
  const crowd = tx.updateTable('people').where('id', '=', id)
  if (tell_share === null) {
    await crowd.set({ tell_share, told_version: null, checked_version: null }).execute()
    return
  }
  await crowd
    .set(({ ref, fn, val }) => {
      const inForce = fn<number | null>('nullif', [ref('version'), val(0)])
      return {
        tell_share,
        told_version: fn.coalesce('told_version', inForce),
        checked_version: fn.coalesce('checked_version', inForce),
      }
    })
    .execute()
}

/** The name of a copy that no crowd of the folder has. */
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

/** Refuses a save over a newer one, and says who saved it. */
async function refuseStale(tx: Kysely<Database>, id: number, saved: RuleCrowd, timezone: string) {
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
