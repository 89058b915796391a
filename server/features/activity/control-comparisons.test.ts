import readExcelFile from 'read-excel-file/node'
import { beforeAll, expect, test } from 'vitest'
import { DAY_REPORT_EXPORT_PATH } from '#contract/activity-export.ts'
import { differenceOf } from '#contract/control-group/difference.ts'
import { isHeldOut } from '#contract/control-group/membership.ts'
import { percentOf, pointsOf } from '#contract/control-group/words.ts'
import { compareControlGroups, setControlGroup } from '#contract/control-group.ts'
import { FAULTS } from '#contract/errors.ts'
import { startImport } from '#contract/import.ts'
import { sentenceOf } from '#contract/outcome.ts'
import { startPush } from '#contract/push.ts'
import { makeReportLink, openReportLinkControl } from '#contract/report-link.ts'
import { computeRuleCrowd } from '#contract/rule-crowd.ts'
import { ATTRIBUTE_TAG, getTagTree } from '#contract/tag.ts'
import { updateEvent } from '#contract/tag-field.ts'
import { controlGroupOf } from '../../crowds/control-groups.ts'
import { anActivity, aPlan } from '../../testing/activities.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { aCrowd, anAdvertiser, leaf, tagged } from '../../testing/builders.ts'
import { aChild, aCustomCrowd, anAccount } from '../../testing/custom-crowds.ts'
import { SOCIAL } from '../../testing/platforms.ts'
import { anAuthorisedAccount, md5, SANDBOX_ACCOUNTS } from '../../testing/push.ts'
import { aPackage } from '../../testing/targeting.ts'
import { uploadTo } from '../../testing/upload.ts'
import { now } from '../../time/clock.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres

const DAY = 86_400
const imei = (no: number) => String(861_000_000_000_000 + no)
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
const PEOPLE = numbers(0, 400)

let adv_id: number
let account: number
let crowd: number
let child: number
let campaign_id: number
/** The second of the first push, which the tests move into the past. */
let pushed_at: number
let held: (no: number) => boolean

beforeAll(async () => {
  await app.reset()
  await sandbox.control('switches', { processing_seconds: 0.1 })
  adv_id = await anAdvertiser(app)
  account = await anAuthorisedAccount(app, sandbox, adv_id, SOCIAL, SANDBOX_ACCOUNTS[1][1])
  await bringPeople(PEOPLE)
  const { data } = await app.admin.get(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  const beijing = data.flatMap((category) => category.group ?? []).find((tag) => tag.tag === '北京')
  crowd = (await aCrowd(app, adv_id, leaf('a', 'n', tagged(beijing?.id ?? 0)), { name: '北京的人' })).id
  await app.settled()
  await app.admin.get(setControlGroup, { body: { kind: 'rule', id: crowd, share: 25 } })
  child = await push('rule', crowd)
  const plan = aPlan({ platform: SOCIAL, account_id: account, crowds: [{ id: child, role: 'include' }] })
  campaign_id = await anActivity(app, adv_id, { plans: [plan, { ...plan, name: '另一个' }] })
  pushed_at = now() - 20 * DAY
  await db.updateTable('control_group').set({ pushed_at }).execute()
  const group = await controlGroupOf(db, { kind: 'rule', id: crowd })
  if (group) held = (no) => isHeldOut(group, `u${no}`)
})

async function bring(file: string, mapping: object) {
  const upload_id = await uploadTo(app, app.admin, file)
  await app.admin.get(startImport, { body: { adv_id, upload_id, mapping: mapping as never } })
  await app.settled()
}
const bringPeople = (people: readonly number[]) =>
  bring(`id,imei,city\n${people.map((no) => `u${no},${imei(no)},北京`).join('\n')}\n`, {
    ...{ kind: 'users', id: 'id', skip: [] },
    identifiers: [{ column: 'imei', type: 'IMEI' }],
  })
const bringEvents = (events: readonly (readonly [no: number, event: string, at: number])[]) =>
  bring(
    `id,event,time\n${events.map(([no, event, at]) => `u${no},${event},${new Date(at * 1000).toISOString()}`).join('\n')}\n`,
    {
      ...{ kind: 'events', id: 'id', event: 'event', time: 'time', skip: [] },
    },
  )

async function push(kind: 'custom' | 'rule', id: number): Promise<number> {
  const types = kind === 'rule' ? (['HASH_IMEI'] as const) : []
  const body = { kind, id, advertiser_id: account, types: [...types] }
  const { child_id } = await app.admin.get(startPush, { params: { cnt_type: SOCIAL }, body })
  await app.settled()
  return child_id
}
const compare = (query: { event?: 'order' | 'pay' | 'lead'; days?: number; campaign_id?: number } = {}) =>
  app.admin.get(compareControlGroups, { query: { campaign_id, ...query } })
const problemOf = async (query: Parameters<typeof compare>[0] = {}) => (await compare(query)).list[0]?.problem_outcome

test('without an event that stands for a payment nothing is compared, and the reason is said', async () => {
  const { crowds, list } = await compare()
  expect(crowds).toBe(1)
  expect(list).toMatchObject([
    { kind: 'rule', crowd_id: crowd, name: '北京的人', share: 25, test: null, verdict: null },
  ])
  expect(list[0]?.problem_outcome).toEqual({ code: 'control_event_missing', params: { event: '支付' } })
})

test('people of both groups who paid within the window since the push are counted once', async () => {
  const tested = PEOPLE.filter((no) => !held(no))
  const control = PEOPLE.filter(held)
  const at = pushed_at + 3 * DAY
  await bringEvents([
    ...tested.slice(0, 60).map((no) => [no, '付款', at] as const),
    // Twice is once.
    ...tested.slice(0, 10).map((no) => [no, '付款', at + 60] as const),
    ...control.slice(0, 3).map((no) => [no, '付款', at] as const),
    // The first second counts, the one before does not.
    [tested[60] ?? 0, '付款', pushed_at],
    [tested[61] ?? 0, '付款', pushed_at - 1],
    // The end of seven days does not count within seven days.
    [control[3] ?? 0, '付款', pushed_at + 7 * DAY],
    [control[4] ?? 0, '付款', pushed_at + 7 * DAY - 1],
    [tested[62] ?? 0, '浏览', at],
    // Somebody who is not in the crowd.
    [9999, '付款', at],
  ])
  for (const [name, standard] of [
    ['付款', 'pay'],
    ['浏览', 'browse'],
  ] as const)
    await app.admin.get(updateEvent, {
      body: { adv_id, name, meaning: { standard, amount: null, goods: null } },
    })

  const { list } = await compare({ days: 7 })
  const [first, second] = [
    { people: tested.length, converted: 61 },
    { people: control.length, converted: 4 },
  ]
  const expected = differenceOf(first, second)
  expect(list).toMatchObject([
    {
      ...{ from: pushed_at, to: pushed_at + 7 * DAY, is_over: true, unpushed: [], problem: null, verdict: 'more' },
      test: { ...first, rate: 61 / tested.length },
      control: { ...second, rate: 4 / control.length },
      difference: { value: expected?.difference, low: expected?.low, high: expected?.high },
    },
  ])
  const longer = (await compare()).list[0]
  expect(longer).toMatchObject({ is_over: false, test: { converted: 61 }, control: { converted: 5 } })
  expect(await problemOf({ event: 'lead' })).toEqual({ code: 'control_event_missing', params: { event: '留资' } })
})

test('the comparison stands in the files of the day report and on the page of a shared link', async () => {
  const asked = { event: 'pay', days: 7 } as const
  const [first] = (await compare(asked)).list
  if (!first?.test || !first.control || !first.difference) throw new Error('the groups are compared')
  const download = (format: string) => {
    const query = new URLSearchParams({ campaign_id: String(campaign_id), format, event: 'pay', days: '7' })
    return app.app.inject({ url: `${DAY_REPORT_EXPORT_PATH}?${query}`, headers: { cookie: app.admin.cookie } })
  }
  const lines = (await download('csv')).body.split('\n')
  const at = lines.indexOf('对照组：第一次推送起 7 天内的支付')
  expect(lines[at - 1]).toBe('')
  const titles = lines[at + 1]?.split(',') ?? []
  const cells = lines[at + 2]?.split(',') ?? []
  const { test: tested, control, difference } = first
  expect(Object.fromEntries(titles.map((title, no) => [title, cells[no]]))).toMatchObject({
    ...{ 人群: '北京的人', 留出: '25.00%' },
    ...{ 实验组人数: String(tested.people), 实验组支付人数: '61', 实验组支付率: percentOf(tested.rate) },
    ...{ 对照组人数: String(control.people), 对照组支付人数: '4', 对照组支付率: percentOf(control.rate) },
    '支付率之差（百分点）': pointsOf(difference.value),
    '95% 区间下限（百分点）': pointsOf(difference.low),
    '95% 区间上限（百分点）': pointsOf(difference.high),
  })
  const [, sheet] = await readExcelFile((await download('xlsx')).rawPayload)
  expect(sheet?.sheet).toBe('对照组（支付，7 天内）')
  expect(sheet?.data[1]?.slice(4, 13)).toEqual([
    ...[tested.people, 61, tested.rate, control.people, 4, control.rate],
    ...[difference.value * 100, difference.low * 100, difference.high * 100].map((points) => expect.closeTo(points)),
  ])
  // An event that nothing stands for: no numbers, and the reason.
  const refused = await app.app.inject({
    url: `${DAY_REPORT_EXPORT_PATH}?campaign_id=${campaign_id}&event=lead`,
    headers: { cookie: app.admin.cookie },
  })
  expect(refused.body).toContain(',,,,,,,,,,暂无：还没有事件代表「留资」')

  const member = await app.viewer('分享的人', [adv_id])
  const { url } = await member.get(makeReportLink, { body: { campaign_id, days: 1 } })
  const body = { token: url.split('#')[1] ?? '', ...asked }
  expect(await app.nobody.call(openReportLinkControl, { body })).toMatchObject({
    code: 0,
    data: { crowds: 1, list: [first] },
  })
  expect(await app.nobody.call(openReportLinkControl, { body: { ...body, token: 'rql_wrong' } })).toMatchObject({
    ...{ code: FAULTS.reportLinkGone.code, status: 404 },
  })
})

test('who comes into the crowd later, or leaves it, does not change the groups that are compared', async () => {
  const before = (await compare()).list
  await bringPeople(numbers(400, 450))
  await bring(
    `id,city\n${PEOPLE.slice(0, 100)
      .map((no) => `u${no},上海`)
      .join('\n')}\n`,
    {
      ...{ kind: 'users', id: 'id', skip: [] },
    },
  )
  await app.admin.get(computeRuleCrowd, { params: { id: crowd } })
  await app.settled()
  await push('rule', crowd)
  const after = (await compare()).list
  expect(after.map(({ to: _, ...row }) => row)).toEqual(before.map(({ to: _, ...row }) => row))
})

test('the people of the first push are kept while the group lasts, and their lack is said', async () => {
  const stored = await db.selectFrom('control_group').selectAll().executeTakeFirstOrThrow()
  const version = stored.members_version ?? 0
  const sizes = () => db.selectFrom('crowd_size').where('crowd_id', '=', crowd)
  const first = await sizes().selectAll().where('version', '=', version).executeTakeFirstOrThrow()
  // More versions of the day than are kept.
  const later = numbers(1001, 1101).map((no) => ({ crowd_id: crowd, version: no, count: 0, replaced_at: now() }))
  const { counted_at } = first
  await db
    .insertInto('crowd_size')
    .values(later.map((row) => ({ ...row, counted_at })))
    .execute()
  await app.services.oldMembers.clear()
  const kept = await sizes().select('version').where('has_members', '=', true).execute()
  expect(kept.map((row) => row.version)).toContain(version)
  expect(kept.map((row) => row.version)).not.toContain(1001)
  expect(await problemOf()).toBeNull()
  const of = db.updateTable('crowd_size').where('crowd_id', '=', crowd)
  await of.set({ has_members: false }).where('version', '=', version).execute()
  expect(await problemOf()).toEqual({ code: 'control_members_cleared', params: {} })
  await of
    .set({ has_members: true })
    .where('version', '=', stored.members_version ?? 0)
    .execute()
})

test('an uploaded crowd compares the people whom it was matched with; unused groups say why not', async () => {
  const content = [...PEOPLE.slice(0, 200), ...numbers(7000, 7050)].map((no) => md5(imei(no))).join('\n')
  const id = await aCustomCrowd(app, adv_id, [{ name: 'a.txt', content }])
  await app.settled()
  const audience = await push('custom', id)
  const plan = aPlan({ platform: SOCIAL, account_id: account, crowds: [{ id: audience, role: 'include' }] })
  const other = await anActivity(app, adv_id, { plans: [plan] })
  expect(await compare({ campaign_id: other })).toEqual({ crowds: 1, list: [] })
  await app.admin.get(setControlGroup, { body: { kind: 'custom', id, share: 40 } })
  expect(await problemOf({ campaign_id: other })).toEqual({ code: 'control_not_pushed', params: {} })
  await push('custom', id)
  // Another account has the crowd since before the group was set.
  await aChild(app, id, await anAccount(app, adv_id, SOCIAL, '从前的账户'), SOCIAL)
  const group = await controlGroupOf(db, { kind: 'custom', id })
  const control = PEOPLE.slice(0, 200).filter((no) => group && isHeldOut(group, `u${no}`)).length
  const { list } = await compare({ campaign_id: other })
  expect(list).toMatchObject([
    {
      kind: 'custom',
      crowd_id: id,
      unpushed: ['从前的账户'],
      test: { people: 200 - control },
      control: { people: control, converted: 0 },
    },
  ])
  expect(list[0]?.verdict).toBe('chance')
})

test('a crowd that a plan’s package aims at is compared like one that the plan names', async () => {
  const { audience_id } = await db
    .selectFrom('audience')
    .select('audience_id')
    .where('id', '=', child)
    .executeTakeFirstOrThrow()
  const packaged = (targeting: object) => aPackage(app, account, { targeting: targeting as never })
  const activity = async (package_id: number) =>
    anActivity(app, adv_id, {
      plans: [aPlan({ platform: SOCIAL, account_id: account, package_id })],
      submit: false,
    })
  const aims = await activity(await packaged({ custom_audience: [audience_id] }))
  expect((await compare({ campaign_id: aims })).list).toMatchObject([{ kind: 'rule', crowd_id: crowd }])
  const excludes = await activity(await packaged({ excluded_custom_audience: [audience_id] }))
  expect(await compare({ campaign_id: excludes })).toEqual({ crowds: 0, list: [] })
})

test('a crowd that plans leave out is not compared', async () => {
  const plan = aPlan({ platform: SOCIAL, account_id: account, crowds: [{ id: child, role: 'exclude' }] })
  const id = await anActivity(app, adv_id, { plans: [plan], submit: false })
  expect(await compare({ campaign_id: id })).toEqual({ crowds: 0, list: [] })
})

test('each reason is a sentence', async () => {
  const reason = await problemOf({ event: 'order' })
  expect((await compare({ event: 'order' })).list[0]?.problem).toBe(reason && sentenceOf(reason))
})
