import type { Kysely, Transaction } from 'kysely'
import type { z } from 'zod'
import { keptCreation } from '#contract/activity/creation.ts'
import { activityFaults, copiedPlan, type Plan, refusalOf } from '#contract/activity/plan.ts'
import { keptHours } from '#contract/activity/schedule.ts'
import { activityStatus, hasEnded, lastDayOf } from '#contract/activity/status.ts'
import type { createActivity, updateActivity } from '#contract/activity.ts'
import { NAME_MAX } from '#contract/common.ts'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { AppError } from '../../errors.ts'
import { keptName, mustNameNoPhone } from '../../files/written-names.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import type { AssetContent } from '../../postgres/schema-activity.ts'
import { now } from '../../time/clock.ts'
import { dayOf, timeText } from '../../time/day.ts'
import { changeActivity, changeOf, editedPlans, mustFindActivity, type StoredActivity } from './activities.ts'
import type { ActivityDeps } from './deps.ts'
import { detailOf } from './detail.ts'
import { keepLog, snapshotOf } from './log.ts'
import { creationProblems, isToBeCreated, missingThings } from './plan-checks.ts'
import type { PlansThere } from './there/open.ts'
import { carrySaved, endEmptied } from './there/saved.ts'
import { keepUses } from './uses.ts'

const COPY_SUFFIX = '_副本'

/** The name of a copy, within the length of names. */
const copyName = (name: string): string => [...name].slice(0, NAME_MAX - [...COPY_SUFFIX].length).join('') + COPY_SUFFIX

type Content = Omit<z.output<typeof createActivity.body>, 'advertiser_id' | 'submit'>

/** Refuses an activity with all of its problems at once. */
export function mustBeRight(problems: readonly AnyOutcome[]): void {
  const reason = refusalOf(problems)
  if (reason) throw new AppError('activityRefused', { reason }, { problems })
}

/** Creates, saves and copies activities with their plans. */
export function saveActivities(
  { db, timezone }: Pick<ActivityDeps, 'db' | 'timezone'>,
  { wants, endChange }: Pick<PlansThere, 'wants' | 'endChange'>,
) {
  const today = () => dayOf(now(), timezone)

  /** Writes what an activity becomes; refuses what is wrong with it. */
  async function write(
    tx: Transaction<Database>,
    viewer: Viewer,
    row: StoredActivity,
    wanted: Content,
    { isSubmitted, isSubmitting }: { isSubmitted: boolean; isSubmitting: boolean },
  ): Promise<void> {
    const stored = new Map((await editedPlans(tx, row.id)).map((plan) => [plan.id, plan]))
    const plans = wanted.plans.map((plan) => namedPlan(viewer, plan, stored))
    await mustHaveProduct(tx, row.adv_id, wanted.product_id)
    const isOn = isSubmitted && row.is_open === 1
    const ends = new Map([...stored.values()].map(({ id, end_date }) => [id, end_date]))
    mustBeRight([
      ...activityFaults(plans, { isSubmitted, today: today(), ends }),
      ...(row.submitted_at === null ? [] : movedPlans(plans, stored)),
      ...(await creationProblems(tx, wants, plans, stored, isSubmitted)),
      ...(await missingThings(tx, plans, {
        adv_id: row.adv_id,
        campaign_id: row.id,
        mustDeliver: (plan) =>
          isSubmitting ||
          (isSubmitted && isToBeCreated(plan)) ||
          (isOn && plan.is_open === 1 && !hasEnded(plan, today())),
      })),
    ])
    await writePlans(tx, row.id, plans, stored)
    await tx
      .updateTable('campaign')
      .set((eb) => ({
        name: wanted.name,
        product_id: wanted.product_id,
        auto_sync: wanted.auto_sync,
        last_day: lastDayOf(plans),
        ...(isSubmitting ? { submitted_at: now() } : {}),
        saved_by: viewer.id,
        saved_at: now(),
        ver: eb('ver', '+', 1),
      }))
      .where('id', '=', row.id)
      .execute()
    await keepUses(tx, row.id, timezone)
    if (isSubmitted) await carrySaved(tx, wants, { campaign_id: row.id, isOn, today: today() }, stored)
  }

  async function savedOf(tx: Kysely<Database>, viewer: Viewer, id: number) {
    const { ver, submitted_at, is_open, last_day } = await mustFindActivity(tx, viewer, id)
    return { id, ver, status: activityStatus({ is_submitted: submitted_at !== null, is_open }, last_day, today()) }
  }

  /** A new draft, or one that is submitted at once. */
  async function insert(
    tx: Transaction<Database>,
    viewer: Viewer,
    adv_id: number,
    content: Content,
    how: { submit: boolean; action: string; from?: number },
  ): Promise<number> {
    mustNameNoPhone(viewer, content.name)
    const { name, auto_sync } = content
    const at = now()
    const row = await tx
      .insertInto('campaign')
      .values({
        ...{ adv_id, name, product_id: null, auto_sync, submitted_at: null, last_day: null, deleted_at: null },
        ...{ creator_id: viewer.id, created_at: at, saved_by: viewer.id, saved_at: at, ver: 0 },
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await write(tx, viewer, row, content, { isSubmitted: how.submit, isSubmitting: how.submit })
    const after = await snapshotOf(tx, row.id)
    await keepLog(tx, viewer, { campaign_id: row.id, op_type: 1, before: null, after })
    if (how.submit) await keepLog(tx, viewer, { campaign_id: row.id, op_type: 4, before: after, after })
    const { action, submit, from } = how
    await audit(tx, viewer, action, { id: row.id, adv_id, name, plans: content.plans.length, submit, from })
    return row.id
  }

  const accountsIn = (plans: readonly { account_id: number | null }[]) => plans.map(({ account_id }) => account_id)

  return {
    async create(viewer: Viewer, { advertiser_id, submit, ...content }: z.output<typeof createActivity.body>) {
      viewer.mustBeMember(advertiser_id)
      return changeOf(db, advertiser_id, accountsIn(content.plans), async (tx) => {
        const id = await insert(tx, viewer, advertiser_id, content, { submit, action: 'activity.create' })
        return savedOf(tx, viewer, id)
      })
    },

    update: (viewer: Viewer, { id, ver, submit, ...content }: z.output<typeof updateActivity.body>) =>
      changeActivity(
        db,
        viewer,
        id,
        async (tx, row) => {
          if (row.ver !== ver) await refuseStale(tx, viewer, row, timezone)
          const isSubmitting = submit && row.submitted_at === null
          const before = await snapshotOf(tx, id)
          const name = keptName(viewer, content.name, row.name)
          await write(
            tx,
            viewer,
            row,
            { ...content, name },
            { isSubmitted: submit || row.submitted_at !== null, isSubmitting },
          )
          const after = await snapshotOf(tx, id)
          await keepLog(tx, viewer, { campaign_id: id, op_type: isSubmitting ? 4 : 2, before, after })
          await audit(tx, viewer, isSubmitting ? 'activity.submit' : 'activity.update', { id, name, ver: row.ver + 1 })
          const saved = await savedOf(tx, viewer, id)
          await endEmptied(tx, endChange, id)
          return saved
        },
        accountsIn(content.plans),
      ),

    /** A draft of the same, without days and links to platforms. */
    async copy(viewer: Viewer, from: number): Promise<{ id: number; name: string }> {
      return changeActivity(db, viewer, from, async (tx, row) => {
        const content = await reusableContent(tx, row)
        const name = copyName(row.name)
        const how = { submit: false, action: 'activity.copy', from }
        return { id: await insert(tx, viewer, row.adv_id, { ...content, name }, how), name }
      })
    },

    /** A draft made of an asset. What it used and is gone meanwhile is left out. */
    startFrom: (viewer: Viewer, adv_id: number, content: AssetContent, valuable_id: number): Promise<{ id: number }> =>
      changeOf(db, adv_id, accountsIn(content.plans), async (tx) => {
        const plans = await withoutMissing(tx, adv_id, content.plans)
        const product_id = await knownProduct(tx, adv_id, content.product_id)
        const how = { submit: false, action: 'activity.from_asset', from: valuable_id }
        return { id: await insert(tx, viewer, adv_id, { ...content, product_id, plans }, how) }
      }),
  }
}

/** What a copy or an asset takes over of an activity. */
export async function reusableContent(tx: Kysely<Database>, row: StoredActivity): Promise<Content> {
  const plans = await editedPlans(tx, row.id)
  return {
    name: row.name,
    product_id: row.product_id,
    auto_sync: row.auto_sync,
    plans: await withoutMissing(tx, row.adv_id, plans.map(copiedPlan)),
  }
}

/** Plans without the packages and crowds that are gone. */
async function withoutMissing(tx: Kysely<Database>, adv_id: number, plans: readonly Plan[]): Promise<ContentPlan[]> {
  const kept: ContentPlan[] = []
  for (const plan of plans) {
    const { crowds, package_id, ...rest } = plan
    const isThere = async (part: Partial<Plan>) =>
      (
        await missingThings(tx, [{ ...plan, package_id: null, crowds: [], ...part }], {
          ...{ adv_id, campaign_id: null, mustDeliver: () => false },
        })
      ).length === 0
    const there: Plan['crowds'][number][] = []
    for (const crowd of crowds) if (await isThere({ crowds: [crowd] })) there.push(crowd)
    const isPackageThere = package_id !== null && (await isThere({ package_id }))
    kept.push({ ...rest, crowds: there, package_id: isPackageThere ? package_id : null })
  }
  return kept
}
type ContentPlan = Content['plans'][number]

/** A plan with its name as it is stored where it was shown masked. */
function namedPlan(viewer: Viewer, plan: ContentPlan, stored: ReadonlyMap<number, Plan>): ContentPlan {
  const was = plan.id === undefined ? undefined : stored.get(plan.id)
  if (plan.id !== undefined && !was) throw new AppError('notFound', { what: '计划' })
  const name = was ? keptName(viewer, plan.name, was.name) : plan.name
  if (!was) mustNameNoPhone(viewer, name)
  // Missing in assets from before plans were created on platforms.
  const creation = plan.creation ? keptCreation(plan.creation) : null
  return {
    ...{ ...plan, name, creation },
    hours: keptHours(plan.hours),
    budget: plan.budget_mode === 'none' ? null : plan.budget,
    // The number of a plan that is created by us comes from its platform: a form may be older than that.
    plan_id: creation === null ? plan.plan_id : was?.creation ? was.plan_id : null,
  }
}

/** Plans of a submitted activity that were moved to another account. */
const movedPlans = (plans: readonly Plan[], stored: ReadonlyMap<number, Plan>): AnyOutcome[] =>
  plans.flatMap((plan) => {
    const was = plan.id === undefined ? undefined : stored.get(plan.id)
    const isMoved = was && (was.platform !== plan.platform || was.account_id !== plan.account_id)
    return isMoved ? [outcome('plan_fault', { plan: plan.name, cause: outcome('plan_account_fixed') })] : []
  })

async function knownProduct(tx: Kysely<Database>, adv_id: number, id: number | null): Promise<number | null> {
  if (id === null) return null
  const found = await tx
    .selectFrom('campaign_product')
    .select('id')
    .where('id', '=', id)
    .where('adv_id', '=', adv_id)
    .executeTakeFirst()
  return found?.id ?? null
}

async function mustHaveProduct(tx: Kysely<Database>, adv_id: number, id: number | null): Promise<void> {
  if (id !== null && (await knownProduct(tx, adv_id, id)) === null) throw new AppError('notFound', { what: '产品' })
}

/** Makes the stored plans those that are wanted, in their order; the others are deleted. */
async function writePlans(
  tx: Transaction<Database>,
  campaign_id: number,
  plans: readonly ContentPlan[],
  stored: ReadonlyMap<number, unknown>,
): Promise<void> {
  const kept = new Set(plans.flatMap(({ id }) => id ?? []))
  const gone = [...stored.keys()].filter((id) => !kept.has(id))
  await tx
    .updateTable('campaign_plan')
    .set({ deleted_at: now() })
    .where('id', 'in', [0, ...gone])
    .execute()
  // Links move between plans of the activity: none may stand in the way of another.
  await tx
    .updateTable('campaign_plan')
    .set({ plan_id: null })
    .where('id', 'in', [0, ...kept])
    .execute()
  for (const [position, { id, crowds, creation, ...plan }] of plans.entries()) {
    const row = { ...plan, position, creation: creation && JSON.stringify(creation) }
    const plan_id =
      id ??
      (
        await tx
          .insertInto('campaign_plan')
          .values({ ...row, campaign_id, created_at: now() })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    if (id !== undefined) await tx.updateTable('campaign_plan').set(row).where('id', '=', id).execute()
    await tx.deleteFrom('campaign_plan_crowd').where('plan_id', '=', plan_id).execute()
    if (crowds.length === 0) continue
    await tx
      .insertInto('campaign_plan_crowd')
      .values(crowds.map(({ id: child_id, role }) => ({ plan_id, child_id, role })))
      .execute()
  }
}

/** Refuses a save over a newer one, and says who saved it. */
async function refuseStale(
  tx: Kysely<Database>,
  viewer: Viewer,
  row: StoredActivity,
  timezone: string,
): Promise<never> {
  const { realname, username } = await tx
    .selectFrom('viewer')
    .select(['realname', 'username'])
    .where('id', '=', row.saved_by)
    .executeTakeFirstOrThrow()
  const saved = await detailOf(tx, viewer, row.id, timezone)
  throw new AppError('activityStale', { who: realname || username, when: timeText(row.saved_at, timezone) }, { saved })
}
