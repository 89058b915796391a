import { beforeAll, expect, test, vi } from 'vitest'
import { isHeldOut } from '#contract/control-group/membership.ts'
import { getControlGroup, setControlGroup } from '#contract/control-group.ts'
import { getCustomCrowd, listCustomCrowds } from '#contract/custom-crowd.ts'
import { FAULTS } from '#contract/errors.ts'
import { startImport } from '#contract/import.ts'
import { checkPush, getPush, retryPush, startPush } from '#contract/push.ts'
import { computeRuleCrowd, getRuleCrowd } from '#contract/rule-crowd.ts'
import { ATTRIBUTE_TAG, getTagTree } from '#contract/tag.ts'
import { controlGroupOf, heldOutSql } from '../../crowds/control-groups.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { aCrowd, anAdvertiser, leaf, tagged } from '../../testing/builders.ts'
import { aCustomCrowd } from '../../testing/custom-crowds.ts'
import { SOCIAL } from '../../testing/platforms.ts'
import { anAuthorisedAccount, md5, SANDBOX_ACCOUNTS, sandboxValues } from '../../testing/push.ts'
import { suppressFor } from '../../testing/suppression.ts'
import { uploadTo } from '../../testing/upload.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres

const imei = (no: number) => String(861_000_000_000_000 + no)
const phone = (no: number) => String(13_900_000_000 + no)
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
const PEOPLE = numbers(0, 200)

let adv_id: number
let account: number
let crowd: number
beforeAll(async () => {
  await app.reset()
  await sandbox.control('switches', { processing_seconds: 0.1 })
  adv_id = await anAdvertiser(app)
  account = await anAuthorisedAccount(app, sandbox, adv_id, SOCIAL, SANDBOX_ACCOUNTS[1][1])
  await bring(PEOPLE)
  const { data } = await app.admin.get(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  const beijing = data.flatMap((category) => category.group ?? []).find((tag) => tag.tag === '北京')
  crowd = (await aCrowd(app, adv_id, leaf('a', 'n', tagged(beijing?.id ?? 0)), { name: '北京的人' })).id
  await app.settled()
})

async function bring(people: readonly number[]) {
  const file = `id,imei,phone,city\n${people.map((no) => `用户${no},${imei(no)},${phone(no)},北京`).join('\n')}\n`
  const identifiers = [{ column: 'imei', type: 'IMEI' as const }]
  const mapping = { kind: 'users' as const, id: 'id', phone: 'phone', identifiers, skip: [] }
  await app.admin.get(startImport, { body: { adv_id, upload_id: await uploadTo(app, app.admin, file), mapping } })
  await app.settled()
}

const set = (share: number | null, more: { kind?: 'custom' | 'rule'; id?: number; restart?: boolean } = {}) =>
  app.admin.call(setControlGroup, { body: { kind: 'rule', id: crowd, share, ...more } })
const TYPES = ['HASH_IMEI', 'HASH_MOBILE_PHONE'] as const
async function push(of: { kind: 'custom' | 'rule'; id: number } = { kind: 'rule', id: crowd }) {
  const types = of.kind === 'rule' ? [...TYPES] : []
  const body = { ...of, advertiser_id: account, types }
  const { push_id } = await app.admin.get(startPush, { params: { cnt_type: SOCIAL }, body })
  await app.settled()
  return (await app.admin.get(getPush, { params: { id: push_id } })).push
}
async function sentOf(child_id: number) {
  const child = await db.selectFrom('audience').selectAll().where('id', '=', child_id).executeTakeFirstOrThrow()
  return sandboxValues(sandbox, child.cnt_type, child.audience_id ?? '')
}
const groupOf = async (of: { kind: 'custom' | 'rule'; id: number } = { kind: 'rule', id: crowd }) => {
  const group = await controlGroupOf(db, of)
  if (!group) throw new Error('no control group')
  return group
}
/** The values of the people who are not held out. */
const reached = (people: readonly number[], held: (no: number) => boolean) =>
  people
    .filter((no) => !held(no))
    .flatMap((no) => [md5(imei(no)), md5(phone(no))])
    .toSorted()

test('the warehouse and the contract hold out the same people, whatever their ids', async () => {
  const ids = ['', 'u1', '用户1', 'Ünï', '🙂', `it's \\ "x"`, ...numbers(0, 300).map((no) => `id-${no}`.repeat(no % 9))]
  const group = { id: 1, share: 37, seed: 'a1b2c3d4e5f60718' }
  const rows = await app.stores.warehouse.load.acrossShards.query<{ id: string; held: number }>(
    `SELECT id, ${heldOutSql(group, 'id')} AS held FROM (SELECT arrayJoin({ids:Array(String)}) AS id)`,
    { ids },
  )
  expect(rows.map(({ held }) => held === 1)).toEqual(rows.map(({ id }) => isHeldOut(group, id)))
  expect(rows).toHaveLength(ids.length)
})

test('a push sends everybody but the control group, and its record closes', async () => {
  expect((await set(30)).code).toBe(0)
  expect((await app.admin.get(getRuleCrowd, { params: { id: crowd } })).control_share).toBe(30)
  const query = { kind: 'rule' as const, id: crowd }
  expect((await app.admin.get(getControlGroup, { query })).group).toMatchObject({ share: 30, pushed_at: null })
  const group = await groupOf()
  const held = (no: number) => isHeldOut(group, `用户${no}`)
  const n = PEOPLE.filter(held).length
  expect(n).toBeGreaterThan(30)

  const source = { kind: 'rule' as const, id: crowd, types: [...TYPES] }
  const check = await app.admin.get(checkPush, { body: { source, cnt_type: SOCIAL, account_id: account } })
  for (const row of check.types) expect(row).toMatchObject({ total: 200, held_out: n, sendable: 200 - n })

  const done = await push()
  expect(done).toMatchObject({ status: 'done', total: 400, held_out: 2 * n, sent: 400 - 2 * n, waiting: 0 })
  expect(await sentOf(done.child_id)).toEqual(reached(PEOPLE, held))
  expect((await app.admin.get(getControlGroup, { query })).group?.pushed_at).not.toBeNull()
})

test('neither a repetition nor a recomputation with new people moves anybody', async () => {
  const group = await groupOf()
  const held = (no: number) => isHeldOut(group, `用户${no}`)
  const again = await push()
  expect(again).toMatchObject({ adds: 0, removes: 0 })
  const all = numbers(0, 260)
  await bring(numbers(200, 260))
  await app.admin.get(computeRuleCrowd, { params: { id: crowd } })
  await app.settled()
  const more = await push()
  expect(more).toMatchObject({ removes: 0, adds: 2 * numbers(200, 260).filter((no) => !held(no)).length })
  expect(await sentOf(more.child_id)).toEqual(reached(all, held))
})

test('a plan that a kill cut short is written again with the same people', async () => {
  const group = await groupOf()
  const { push_id } = await app.admin.get(startPush, {
    params: { cnt_type: SOCIAL },
    body: { kind: 'rule', id: crowd, advertiser_id: account, types: [...TYPES] },
  })
  await app.settled()
  const { child_id } = await db.selectFrom('push').selectAll().where('id', '=', push_id).executeTakeFirstOrThrow()
  const before = await sentOf(child_id)
  // As a process leaves it that was killed after it had written the plan, and before it said so.
  await db
    .updateTable('push')
    .set({ status: 'failed', step: 'plan', plan_id: null, state: JSON.stringify({ planning: 999 }) })
    .where('id', '=', push_id)
    .execute()
  await app.stores.warehouse.load.acrossShards.command(
    `INSERT INTO push_excluded (child_id, plan_id, id_type, why, value) VALUES (${child_id}, 999, 'HASH_IMEI', 3, 'x')`,
  )
  const { push: done } = await resumed(push_id)
  expect(done).toMatchObject({ status: 'done', adds: 0, removes: 0, total: 520 })
  expect(done.held_out).toBe(2 * numbers(0, 260).filter((no) => isHeldOut(group, `用户${no}`)).length)
  expect(await sentOf(child_id)).toEqual(before)
})
async function resumed(id: number) {
  await app.admin.get(retryPush, { params: { id } })
  await app.settled()
  return app.admin.get(getPush, { params: { id } })
}

test('who is suppressed anyway is counted as suppressed, once', async () => {
  const group = await groupOf()
  const all = numbers(0, 260)
  const both = all.find((no) => isHeldOut(group, `用户${no}`)) ?? -1
  await suppressFor(app, { adv_id, type: 'IMEI', lines: [imei(both)] })
  const n = all.filter((no) => isHeldOut(group, `用户${no}`)).length
  expect(await push()).toMatchObject({ total: 520, suppressed: 2, held_out: 2 * (n - 1), sent: 520 - 2 * n })
})

test('a group that was pushed is changed only as a new one, drawn anew', async () => {
  const before = await groupOf()
  expect(await set(20)).toMatchObject({ code: FAULTS.controlGroupPushed.code })
  expect(await set(null)).toMatchObject({ code: FAULTS.controlGroupPushed.code })
  expect((await set(30)).code).toBe(0)
  expect(await groupOf()).toEqual(before)
  expect((await set(20, { restart: true })).code).toBe(0)
  const group = await groupOf()
  expect(group.seed).not.toBe(before.seed)
  const done = await push()
  const suppressed = numbers(0, 260).find((no) => isHeldOut(before, `用户${no}`))
  expect(await sentOf(done.child_id)).toEqual(
    reached(
      numbers(0, 260).filter((no) => no !== suppressed),
      (no) => isHeldOut(group, `用户${no}`),
    ),
  )
  expect((await set(null, { restart: true })).code).toBe(0)
  expect(await push()).toMatchObject({ held_out: 0, sent: 518 })
  const changes = await db
    .selectFrom('audit')
    .select('detail')
    .where('action', '=', 'control_group.set')
    .orderBy('id', 'desc')
    .execute()
  expect(changes.map(({ detail }) => detail)).toMatchObject([
    { kind: 'rule', id: crowd, share: null, before: 20, restarted: true },
    { share: 20, before: 30, restarted: true },
    { share: 30, before: null },
  ])
})

test('of an uploaded crowd, people we know are held out by their oneID, other identifiers by themselves', async () => {
  const known = numbers(0, 100).map(imei)
  const unknown = numbers(5000, 5100).map(imei)
  const id = await aCustomCrowd(app, adv_id, [
    { name: 'a.txt', content: [...known, ...unknown].map((one) => md5(one)).join('\n') },
  ])
  await app.settled()
  expect((await set(25, { kind: 'custom', id })).code).toBe(0)
  const group = await groupOf({ kind: 'custom', id })
  const suppressed = await db.selectFrom('control_group').selectAll().orderBy('id').executeTakeFirstOrThrow()
  const listed = numbers(0, 260).find((no) => isHeldOut(suppressed, `用户${no}`))
  const rows = [
    ...numbers(0, 100).map((no) => ({
      value: md5(imei(no)),
      held: isHeldOut(group, `用户${no}`),
      isListed: no === listed,
    })),
    ...unknown.map((one) => ({ value: md5(one), held: isHeldOut(group, md5(one)), isListed: false })),
  ]
  const held_out = rows.filter(({ held, isListed }) => held && !isListed).length
  const done = await push({ kind: 'custom', id })
  expect(done).toMatchObject({ total: 200, suppressed: 1, held_out, sent: 199 - held_out })
  expect(await sentOf(done.child_id)).toEqual(
    rows
      .filter(({ held, isListed }) => !held && !isListed)
      .map(({ value }) => value)
      .toSorted(),
  )
  const { funnel, crowd: shown } = await app.admin.get(getCustomCrowd, { query: { id } })
  expect(funnel.accounts).toMatchObject([{ unique: 200, suppressed: 1, held_out, sent: 199 - held_out, waiting: 0 }])
  expect(shown.control_share).toBe(25)
  const { list } = await app.admin.get(listCustomCrowds, { query: { adv_id } })
  expect(list).toMatchObject([{ id, control_share: 25 }])
})

test('two changes at once leave one group', async () => {
  const id = await aCustomCrowd(app, adv_id, [{ name: 'a.txt', content: md5('1') }])
  await app.settled()
  await Promise.all([5, 10, 15].map((share) => set(share, { kind: 'custom', id })))
  const rows = await db.selectFrom('control_group').selectAll().where('custom_id', '=', id).execute()
  expect(rows.filter(({ ended_at }) => ended_at === null)).toHaveLength(1)
})

test.each([0, 51, 1.5])('a share of %s %% is refused', async (share) => {
  expect((await set(share)).code).toBe(FAULTS.badInput.code)
})

test('a push that is planned while its group is replaced is planned with the new one', async () => {
  const id = await aCustomCrowd(app, adv_id, [
    {
      name: 'a.txt',
      content: numbers(9000, 9200)
        .map((no) => md5(imei(no)))
        .join('\n'),
    },
  ])
  await app.settled()
  await set(10, { kind: 'custom', id })
  const { acrossShards } = app.stores.warehouse.load
  const command = acrossShards.command.bind(acrossShards)
  let isReplaced = false
  // The group is replaced after the plan has read it.
  const spy = vi.spyOn(acrossShards, 'command').mockImplementation(async (sql, ...rest) => {
    if (!isReplaced && sql.includes('INSERT INTO push_excluded')) {
      isReplaced = true
      await set(40, { kind: 'custom', id })
    }
    return command(sql, ...rest)
  })
  const done = await push({ kind: 'custom', id }).finally(() => spy.mockRestore())
  expect(isReplaced).toBe(true)
  const group = await groupOf({ kind: 'custom', id })
  expect(group.share).toBe(40)
  const held = (no: number) => isHeldOut(group, md5(imei(no)))
  expect(await sentOf(done.child_id)).toEqual(
    numbers(9000, 9200)
      .filter((no) => !held(no))
      .map((no) => md5(imei(no)))
      .toSorted(),
  )
  expect(done.held_out).toBe(numbers(9000, 9200).filter(held).length)
})
