import { timeText } from '../clock.ts'
import type { Json } from '../json.ts'
import type { Parts } from '../parts.ts'
import { contentOf, keepContent } from '../plan-content.ts'
import type { Answer } from '../wire.ts'
import { advertiserFor, type Context, type Interface } from './access.ts'
import { type Body, within } from './arguments.ts'
import { badRequest, success } from './envelope.ts'
import { paged } from './package-calls.ts'
import type { VideoProject } from './packages.ts'
import { hoursIn, MODES } from './project-fields.ts'
import { projectWriting } from './project-writing.ts'

/** Fen. The bounds of a project's way to bid are not printed; none takes less. */
const BUDGET = { least: 10_000, most: 999_999_999 }
const STATUSES = ['ENABLE', 'DISABLE', 'DONE', 'DELETE'].map((one) => `PROJECT_STATUS_${one}`)

/** The projects of an account, which use its packages. */
export function projectCalls(parts: Parts): Record<string, Interface> {
  const { db, clock } = parts
  const settingOf = (id: string) => (contentOf(db, 'video', id).delivery_setting ?? {}) as { [name: string]: Json }
  function deliveryOf(id: string) {
    const kept = db.one<{ budget: number }>('SELECT budget FROM video_project_budget WHERE project_id = ?', id)
    const budget = kept ? { budget_mode: MODES[0], budget: kept.budget / 100 } : { budget_mode: MODES[1], budget: 0 }
    return { ...settingOf(id), ...budget }
  }
  const keepSetting = (id: string, given: { [name: string]: Json }) =>
    keepContent(db, 'video', id, { delivery_setting: { ...settingOf(id), ...given } })

  function list({ token, given }: Context): Answer {
    const account_id = advertiserFor(token, given.id('advertiser_id'))
    const asked = given.object('filtering')
    const filtering = within(asked ?? {})
    const ids = asked && Object.hasOwn(asked, 'ids') ? filtering.ids('ids', 100) : null
    const name = filtering.text('name', { isOptional: true, most: 50 })
    const status = filtering.text('status_first', { isOptional: true })
    if (status !== undefined && !STATUSES.includes(status)) throw badRequest('filtering.status_first: 不支持的取值')
    const [unknown] = filtering.unknown()
    if (unknown !== undefined) throw badRequest(`filtering.${unknown}: 不支持的参数`)
    const rows = db
      .all<VideoProject>('SELECT * FROM video_project WHERE account_id = ? ORDER BY no DESC', account_id)
      .filter((one) => ids === null || ids.includes(one.id))
      .filter((one) => name === undefined || one.name.includes(name))
      .filter((one) => (status === undefined ? ids !== null || !/DELETE$/.test(one.status) : one.status === status))
    const fields = given.optionalTexts('fields', 100)
    const shown = rows.map((one) => {
      const all: Record<string, unknown> = {
        project_id: BigInt(one.id),
        name: one.name,
        advertiser_id: BigInt(account_id),
        landing_type: one.landing_type,
        opt_status: one.status === STATUSES[0] ? 'ENABLE' : 'DISABLE',
        status_first: one.status,
        status_second: [],
        delivery_setting: deliveryOf(one.id),
        project_create_time: timeText(one.made_at),
        project_modify_time: timeText(one.made_at),
        audience: one.package_id === null ? {} : { audience_package_id: BigInt(one.package_id) },
      }
      return fields ? Object.fromEntries(fields.map((name) => [name, all[name]])) : all
    })
    return success(paged(given, shown, 'list'))
  }

  const projectOf = (account_id: string, id: string) =>
    db.one<VideoProject>('SELECT * FROM video_project WHERE account_id = ? AND id = ?', account_id, id)

  /** Carries out each item by itself; those that fail are named beside those that succeeded. */
  function each({ token, given }: Context, change: (project: VideoProject, item: Body) => string | null): Answer {
    const account_id = advertiserFor(token, given.id('advertiser_id'))
    const items = given.objects('data', 10).map(within)
    const ids = items.map((item) => item.id('project_id'))
    if (new Set(ids).size < ids.length) throw badRequest('data: project_id重复')
    const done: bigint[] = []
    const errors: { project_id: bigint; error_message: string }[] = []
    for (const [no, item] of items.entries()) {
      const id = ids[no] as string
      const found = projectOf(account_id, id)
      const fault = !found ? '项目不存在' : /DELETE$/.test(found.status) ? '项目已删除，不能操作' : change(found, item)
      const [unknown] = found && !/DELETE$/.test(found.status) ? item.unknown() : []
      if (unknown !== undefined) throw badRequest(`data.${unknown}: 不支持的参数`)
      if (fault === null) done.push(BigInt(id))
      else errors.push({ project_id: BigInt(id), error_message: fault })
    }
    return success({ project_ids: done, errors })
  }

  const switchAll = (context: Context) =>
    each(context, ({ no, status }, item) => {
      const wanted = item.oneOf('opt_status', ['ENABLE', 'DISABLE', ''], '')
      if (wanted === '') throw badRequest('opt_status: 缺少必填参数')
      // A project whose dates have passed stays ended until they are moved.
      if (!/DONE$/.test(status))
        db.run('UPDATE video_project SET status = ? WHERE no = ?', `PROJECT_STATUS_${wanted}`, no)
      return null
    })

  const setBudgets = (context: Context) =>
    each(context, ({ id }, item) => {
      const mode = item.text('budget_mode')
      if (!MODES.some((one) => one === mode)) throw badRequest(`budget_mode: 只能是${MODES.join('、')}`)
      const budget = item.fen('budget')
      if (mode === MODES[1]) {
        db.run('DELETE FROM video_project_budget WHERE project_id = ?', id)
        return null
      }
      if (budget === undefined) return '预算: 缺少必填参数'
      if (budget < BUDGET.least || budget > BUDGET.most) return '项目预算应在100元到9999999.99元之间'
      db.run(
        'INSERT INTO video_project_budget VALUES (?, ?) ON CONFLICT (project_id) DO UPDATE SET budget = excluded.budget',
        ...[id, budget],
      )
      return null
    })

  /** The last moment, in seconds; a project's first day stays. */
  const setEnds = (context: Context) =>
    each(context, ({ id }, item) => {
      const schedule_type = item.oneOf(
        'schedule_type',
        ['SCHEDULE_FROM_NOW', 'SCHEDULE_START_END'],
        'SCHEDULE_FROM_NOW',
      )
      const end = item.optionalNumber('end_time', { least: 1 })
      if (schedule_type === 'SCHEDULE_FROM_NOW') {
        if (end !== undefined) return 'end_time: 仅在schedule_type为SCHEDULE_START_END时填写'
        const { end_time: _, ...rest } = settingOf(id)
        keepContent(db, 'video', id, { delivery_setting: { ...rest, schedule_type } })
        return null
      }
      if (end === undefined) return 'end_time: 缺少必填参数'
      if (end < clock.now()) return '结束时间不能早于现在'
      keepSetting(id, { schedule_type, end_time: timeText(end) })
      return null
    })

  const setHours = (context: Context) =>
    each(context, ({ id }, item) => {
      const schedule_time = hoursIn(item)
      item.oneOf('schedule_scene', ['REALTIME', 'NEXT_DAY'], 'REALTIME')
      if (schedule_time === undefined) return 'schedule_time: 缺少必填参数'
      keepSetting(id, { schedule_time })
      return null
    })

  return {
    ...projectWriting(parts),
    'POST /open_api/v3.0/project/schedule_time/update/': { scopes: [26, 260], takes: 'json', act: setEnds },
    'POST /open_api/v3.0/project/week_schedule/update/': { scopes: [26, 260], takes: 'json', act: setHours },
    'POST /open_api/v3.0/project/status/update/': { scopes: [26, 260], takes: 'json', act: switchAll },
    'POST /open_api/v3.0/project/budget/update/': { scopes: [26, 260], takes: 'json', act: setBudgets },
    'GET /open_api/v3.0/project/list/': { scopes: [26, 260], takes: 'query', act: list },
  }
}
