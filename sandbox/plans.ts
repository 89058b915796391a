import { z } from 'zod'
import type { Database } from './database.ts'
import { contentOf, keepContent, type PlanContent } from './plan-content.ts'
import { addSocialPlan } from './social/adgroup-writing.ts'
import { addCommercePlan } from './video/commerce-plan-writing.ts'
import { addProject } from './video/packages.ts'

const PlanPlatform = z.enum(['social', 'video', 'commerce'])
export const NewPlan = z.strictObject({
  platform: PlanPlatform,
  account_id: z.string(),
  name: z.string().min(1),
  is_on: z.boolean().default(true),
  /** Fen a day; 0: no limit, which the commerce platform does not have. */
  budget: z.int().min(0).default(50_000),
})
export const PlanChange = z.strictObject({
  platform: PlanPlatform,
  id: z.string(),
  is_on: z.boolean().optional(),
  budget: z.int().min(0).optional(),
  is_deleted: z.boolean().optional(),
  name: z.string().min(1).optional(),
  /** The last day, YYYY-MM-DD; null: without an end. */
  end: z.iso.date().nullable().optional(),
  /** Social: what was spent today, in fen. */
  spent: z.int().min(0).optional(),
})

/** A plan as a person makes it on the platform's own pages. */
export function addPlan(db: Database, at: number, { platform, ...wanted }: z.output<typeof NewPlan>): string {
  if (platform === 'social') return addSocialPlan(db, at, wanted)
  if (platform === 'commerce') return addCommercePlan(db, at, wanted)
  const { account_id, name, is_on, budget } = wanted
  const status = `PROJECT_STATUS_${is_on ? 'ENABLE' : 'DISABLE'}`
  const id = addProject(db, at, { account_id, name, package_id: null, status })
  if (budget > 0) db.run('INSERT INTO video_project_budget VALUES (?, ?)', id, budget)
  return id
}

const TABLES = { social: 'social_plan', video: 'video_project', commerce: 'commerce_plan' } as const

/** What is kept of a plan whose last day is this one. */
function endIn(content: PlanContent, platform: z.output<typeof PlanPlatform>, end: string | null): PlanContent {
  if (platform === 'social') return { end_date: end ?? '' }
  const { end_time: _, ...setting } = (content.delivery_setting ?? {}) as PlanContent
  return { delivery_setting: { ...setting, ...(end !== null && { end_time: end }) } }
}

/** What a person changes there. */
export function changePlan(db: Database, { platform, id, ...given }: z.output<typeof PlanChange>): void {
  const { is_on, budget, is_deleted, spent, name, end } = given
  if (name !== undefined) db.run(`UPDATE ${TABLES[platform]} SET name = ? WHERE id = ?`, name, id)
  if (end !== undefined) keepContent(db, platform, id, endIn(contentOf(db, platform, id), platform, end))
  if (platform === 'social') {
    if (is_on !== undefined) {
      const wanted = is_on ? 'AD_STATUS_NORMAL' : 'AD_STATUS_SUSPEND'
      db.run('UPDATE social_plan SET configured_status = ? WHERE id = ?', wanted, id)
    }
    if (budget !== undefined) db.run('UPDATE social_plan SET daily_budget = ? WHERE id = ?', budget, id)
    if (spent !== undefined) db.run('UPDATE social_plan SET spent = ? WHERE id = ?', spent, id)
    if (is_deleted !== undefined) db.run('UPDATE social_plan SET is_deleted = ? WHERE id = ?', Number(is_deleted), id)
    return
  }
  const option = is_deleted ? 'DELETE' : is_on === undefined ? null : is_on ? 'ENABLE' : 'DISABLE'
  if (platform === 'video') {
    if (option) db.run('UPDATE video_project SET status = ? WHERE id = ?', `PROJECT_STATUS_${option}`, id)
    if (budget !== undefined) db.run('REPLACE INTO video_project_budget VALUES (?, ?)', id, budget)
    return
  }
  if (option) {
    const status = { ENABLE: 'DELIVERY_OK', DISABLE: 'DISABLE', DELETE: 'DELETED' }[option]
    db.run('UPDATE commerce_plan SET opt_status = ?, status = ? WHERE id = ?', option, status, id)
  }
  if (budget !== undefined) db.run('UPDATE commerce_plan SET budget = ? WHERE id = ?', budget, id)
}

export interface ShownPlan {
  platform: z.output<typeof PlanPlatform>
  id: string
  account_id: string
  name: string
  is_on: 0 | 1
  /** Fen; 0 means no limit. */
  budget: number
  is_deleted: 0 | 1
  /** What calls gave of it, in JSON; null for one made on the platform's pages. */
  content: string | null
}

/** Plans of all platforms, the latest first. */
export const shownPlans = (db: Database, most: number): ShownPlan[] =>
  db.all<ShownPlan & { made_at: number } & Record<string, never>>(
    `SELECT every.*, content FROM (
       SELECT 'social' AS platform, id, account_id, name, configured_status = 'AD_STATUS_NORMAL' AS is_on,
         daily_budget AS budget, is_deleted, made_at FROM social_plan
       UNION ALL SELECT 'commerce', id, account_id, name, opt_status = 'ENABLE', budget, opt_status = 'DELETE', made_at
         FROM commerce_plan
       UNION ALL SELECT 'video', id, account_id, name, status = 'PROJECT_STATUS_ENABLE', coalesce(budget, 0),
         status = 'PROJECT_STATUS_DELETE', made_at
         FROM video_project LEFT JOIN video_project_budget ON project_id = id) AS every
       LEFT JOIN plan_content ON plan_content.platform = every.platform AND plan_content.plan_id = every.id
     ORDER BY made_at DESC LIMIT ?`,
    most,
  )
