import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReportsMapping } from '#contract/import.ts'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import { addDays } from '../features/tag/day-window.ts'
import type { Viewer } from '../http/viewer.ts'
import type { Runtime } from '../process/runtime.ts'
import { now } from '../time/clock.ts'

const FILE_NAME = '投放报表-生成数据.csv'
const DAYS = 30
const HEAD = '日期,活动,计划,账户,消耗,曝光,点击,转化,支付订单数,支付订单金额,点赞,关注'
const MAPPING: ReportsMapping = {
  kind: 'reports',
  date: '日期',
  campaign: '活动',
  plan: '计划',
  account: '账户',
  metrics: [
    { column: '消耗', metric: 'cost' },
    { column: '曝光', metric: 'imp_pv' },
    { column: '点击', metric: 'click_pv' },
    { column: '转化', metric: 'covert_cnt' },
    { column: '支付订单数', metric: 'pay_order_cnt' },
    { column: '支付订单金额', metric: 'pay_order_amount' },
    { column: '点赞', metric: 'dy_like' },
    { column: '关注', metric: 'dy_follow' },
  ],
}

type WantedPlan = Parameters<Runtime['services']['activities']['create']>[1]['plans'][number]

interface DemoPlan {
  name: string
  platform: PackageCode
  /** Fen a day. */
  budget: number
}
interface DemoActivity {
  name: string
  state: 'draft' | 'open' | 'paused' | 'ended'
  plans: readonly DemoPlan[]
}

const ACTIVITIES: readonly DemoActivity[] = [
  {
    name: '双十二预热-生成数据',
    state: 'open',
    plans: [
      { name: '朋友圈-新客', platform: 1, budget: 200_000 },
      { name: '信息流-兴趣人群', platform: 2, budget: 300_000 },
      { name: '短视频带货', platform: 3, budget: 150_000 },
    ],
  },
  {
    name: '会员复购-生成数据',
    state: 'paused',
    plans: [
      { name: '老客唤醒', platform: 1, budget: 80_000 },
      { name: '直播间会员日', platform: 3, budget: 120_000 },
    ],
  },
  { name: '秋季新品-生成数据', state: 'ended', plans: [{ name: '落地页-新品', platform: 2, budget: 250_000 }] },
  { name: '年货节-生成数据', state: 'draft', plans: [{ name: '待定', platform: 1, budget: 100_000 }] },
]

/** From 0 to below 1, the same for the same words. */
const share = (...words: (string | number)[]) =>
  createHash('sha256').update(words.join(' ')).digest().readUInt32BE() / 2 ** 32
const between = (least: number, most: number, ...words: (string | number)[]) =>
  Math.floor(least + share(...words) * (most - least))

/** A day of a plan as a line of a report; no line on the days on which it rested. */
function lineOf(date: string, activity: string, plan_id: string, account: string, budget: number): string | null {
  const pick = (what: string, least: number, most: number) => between(least, most, what, date, plan_id)
  if (pick('rests', 0, 12) === 0) return null
  const cost = Math.floor((budget * pick('spent', 55, 100)) / 100)
  const clicks = Math.floor(cost / pick('click', 60, 140))
  const shown = clicks * pick('shown', 25, 60)
  const converted = Math.floor((clicks * pick('converted', 20, 70)) / 1000)
  const paid = Math.floor((converted * pick('paid', 400, 800)) / 1000)
  const amount = paid * pick('price', 8_900, 25_900)
  const yuan = (fen: number) => (fen / 100).toFixed(2)
  const liked = Math.floor((clicks * pick('liked', 20, 90)) / 1000)
  const followed = Math.floor((clicks * pick('followed', 5, 30)) / 1000)
  const figures = [yuan(cost), shown, clicks, converted, paid, yuan(amount), liked, followed]
  return [date, activity, plan_id, account, ...figures].join(',')
}

/** Activities in every state, with a report whose name says that it is generated. */
export async function makeActivities(
  { services, stores }: Runtime,
  { adv_id, viewer, today }: { adv_id: number; viewer: Viewer; today: string },
  until: (what: string, isDone: () => Promise<boolean>) => Promise<void>,
): Promise<void> {
  const { db } = stores.postgres
  const accounts = await db
    .selectFrom('platform_account')
    .select(['id', 'platform', 'external_id'])
    .where('adv_id', '=', adv_id)
    .execute()
  const packages = await db
    .selectFrom('targeting_package')
    .select(['id', 'platform'])
    .where('adv_id', '=', adv_id)
    .where('deleted_at', 'is', null)
    .where('is_crowd_lost', '=', false)
    .where('invalid_time', '>', now())
    .orderBy('id')
    .execute()
  const lines: string[] = [HEAD]
  for (const { name, state, plans } of ACTIVITIES) {
    const wanted = plans.map(
      (plan): WantedPlan => ({
        ...{ name: plan.name, platform: plan.platform, plan_id: null, creation: null, crowds: [] },
        account_id: accounts.find(({ platform }) => platform === plan.platform)?.id ?? null,
        package_id: packages.findLast(({ platform }) => platform === plan.platform)?.id ?? null,
        ...{ budget_mode: 'day', budget: plan.budget, start_date: addDays(today, -DAYS), end_date: null },
        ...{ hours: null, is_open: 1 },
      }),
    )
    const content = { advertiser_id: adv_id, name, product_id: null, auto_sync: 1 as const, plans: wanted }
    const { id } = await services.activities.create(viewer, { ...content, submit: state !== 'draft' })
    if (state === 'open') await services.activities.switch(viewer, { id, is_open: 1 })
    if (state === 'draft') continue
    const made = await db
      .selectFrom('campaign_plan')
      .select(['id', 'account_id', 'position'])
      .where('campaign_id', '=', id)
      .orderBy('position')
      .execute()
    for (const plan of made) {
      const plan_id = String(70_000 + plan.id)
      await db.updateTable('campaign_plan').set({ plan_id }).where('id', '=', plan.id).execute()
      const account = accounts.find((one) => one.id === plan.account_id)?.external_id ?? ''
      for (let ago = DAYS; ago >= 1; ago--) {
        const budget = plans[plan.position]?.budget ?? 100_000
        const line = lineOf(addDays(today, -ago), name, plan_id, account, budget)
        if (line) lines.push(line)
      }
    }
    if (state === 'ended') {
      const end_date = addDays(today, -1)
      await db.updateTable('campaign_plan').set({ end_date }).where('campaign_id', '=', id).execute()
      await db.updateTable('campaign').set({ last_day: end_date }).where('id', '=', id).execute()
    }
  }
  const path = join(stores.settings.dataDir, FILE_NAME)
  await writeFile(path, `${lines.join('\n')}\n`)
  const id = await services.imports.startFile(adv_id, path, MAPPING)
  await until('投放报表', async () => {
    const row = await db.selectFrom('import').select('status').where('id', '=', id).executeTakeFirst()
    return row?.status === 'done'
  })
  await rm(path, { force: true })
}
