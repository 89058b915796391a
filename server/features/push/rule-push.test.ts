import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listRuleChildren, setKeepsStep } from '#contract/audience.ts'
import { getCustomCrowd, updateCustomCrowd } from '#contract/custom-crowd.ts'
import type { IdentifierType } from '#contract/identifier.ts'
import { startImport } from '#contract/import.ts'
import { outcome, sentenceOrNull } from '#contract/outcome.ts'
import type { AudienceCode } from '#contract/platform.ts'
import { checkPush, getPush, listPushes, startPush } from '#contract/push.ts'
import { computeRuleCrowd } from '#contract/rule-crowd.ts'
import { getConsent, listSuppression, removeSuppression, setConsent } from '#contract/suppression.ts'
import { ATTRIBUTE_TAG, getTagTree } from '#contract/tag.ts'
import { listWebhooks, saveWebhook, tryWebhook } from '#contract/webhook.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { aCrowd, anAdvertiser, leaf, tagged } from '../../testing/builders.ts'
import { aCustomCrowd, uploaded } from '../../testing/custom-crowds.ts'
import { SOCIAL, VIDEO } from '../../testing/platforms.ts'
import { anAuthorisedAccount, md5, SANDBOX_ACCOUNTS, sandboxValues, sha256 } from '../../testing/push.ts'
import { type Suppressed, suppressFor } from '../../testing/suppression.ts'
import { uploadTo } from '../../testing/upload.ts'

const received: { body: Record<string, unknown> }[] = []
const robot = createServer((request, answer) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    received.push({ body: JSON.parse(text) })
    answer.end(JSON.stringify({ errcode: request.url === '/refuse' ? 93000 : 0, errmsg: 'invalid webhook url' }))
  })
})
await new Promise<void>((done) => robot.listen(0, '127.0.0.1', done))
const robotUrl = `http://127.0.0.1:${(robot.address() as AddressInfo).port}`

const { app, sandbox } = await testAppWithSandbox({ WEBHOOK_ALLOW: robotUrl })
afterAll(async () => {
  robot.close()
})

const imei = (no: number) => String(861_000_000_000_000 + no)
const phone = (no: number) => String(13_900_000_000 + no)
const people = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
const file = (numbers: readonly number[]) =>
  `id,imei,phone,city,consent\n${numbers
    .map((no) => `u${no},${imei(no)},${phone(no)},北京,${no % 10 === 0 ? '否' : '是'}`)
    .join('\n')}\n`

let adv_id: number
let social: number
let video: number
let crowd: number
beforeAll(async () => {
  await app.reset()
  await sandbox.control('switches', { processing_seconds: 0.1 })
  adv_id = await anAdvertiser(app)
  social = await anAuthorisedAccount(app, sandbox, adv_id, 1, SANDBOX_ACCOUNTS[1][1])
  video = await anAuthorisedAccount(app, sandbox, adv_id, 2, SANDBOX_ACCOUNTS[2][1])
  await bring(people(0, 60))
  const { data } = await app.admin.get(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  const beijing = data.flatMap((category) => category.group ?? []).find((tag) => tag.tag === '北京')
  crowd = (await aCrowd(app, adv_id, leaf('a', 'n', tagged(beijing?.id ?? 0)), { name: '北京的人' })).id
  await app.settled()
})

async function bring(numbers: readonly number[]) {
  const mapping = {
    kind: 'users' as const,
    id: 'id',
    phone: 'phone',
    identifiers: [{ column: 'imei', type: 'IMEI' as const }],
    skip: [],
  }
  const upload_id = await uploadTo(app, app.admin, file(numbers))
  await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
  await app.settled()
}

async function push(account: number, cnt_type: AudienceCode, types: IdentifierType[], keeps_step = false) {
  const body = { id: crowd, advertiser_id: account, kind: 'rule' as const, types, keeps_step }
  const { push_id } = await app.admin.get(startPush, { params: { cnt_type }, body })
  await app.settled()
  return (await app.admin.get(getPush, { params: { id: push_id } })).push
}
async function sandboxContent(child_id: number) {
  const child = await app.stores.postgres.db
    .selectFrom('audience')
    .selectAll()
    .where('id', '=', child_id)
    .executeTakeFirstOrThrow()
  return sandboxValues(sandbox, child.cnt_type, child.audience_id ?? child.source_id ?? '')
}

const suppress = (body: Omit<Suppressed, 'adv_id'>) => suppressFor(app, { adv_id, ...body })

/** People whose number ends in 0 refuse. 5, 6 and 7 are on the suppression list, by IMEI, MD5 and phone. */
const refuses = (no: number) => no % 10 === 0
const allowed = (numbers: readonly number[]) => numbers.filter((no) => !refuses(no) && ![5, 6, 7].includes(no))

test('suppressed and refusing people are left out with all their identifiers, and counted', async () => {
  const added = await suppress({ type: 'IMEI', lines: [imei(5), imei(5), '不是', ''], note: '投诉' })
  expect(added).toMatchObject({
    added: 1,
    listed: 0,
    duplicate: 1,
    malformed: [
      { line: 3, outcome: outcome('line_malformed', { type: 'IMEI' }) },
      { line: 4, reason: '空行', outcome: outcome('line_empty') },
    ],
  })
  const unphone = await suppress({ type: 'SHA256_MOBILE_PHONE', lines: ['不是', ''], note: '' })
  expect(unphone.malformed).toMatchObject([
    { line: 1, reason: '不是 11 位手机号，也不是 SHA256' },
    { line: 2, outcome: outcome('line_empty') },
  ])
  await suppress({ type: 'HASH_IMEI', lines: [md5(imei(6)).toUpperCase()] })
  await suppress({ type: 'SHA256_MOBILE_PHONE', lines: [phone(7)] })
  const list = await app.admin.get(listSuppression, { query: { adv_id } })
  expect(list.total).toBe(3)
  expect(list.list.map((row) => row.forms)).toContainEqual([{ type: 'IMEI', value: imei(5) }])
  expect(list.list.flatMap((row) => row.forms).map((form) => form.value)).toContain(md5(phone(7)))

  await app.admin.get(setConsent, { body: { adv_id, attribute: 'consent', refused_values: ['否'] } })
  expect(await app.admin.get(getConsent, { query: { adv_id } })).toMatchObject({ refused_people: 6 })

  const source = { kind: 'rule' as const, id: crowd, types: ['MD5_SHA256_IMEI', 'HASH_MOBILE_PHONE', 'QQ'] as const }
  const check = await app.admin.get(checkPush, {
    body: { source: { ...source, types: [...source.types] }, cnt_type: SOCIAL, account_id: social },
  })
  expect(check.types.find((row) => row.type === 'MD5_SHA256_IMEI')).toMatchObject({
    total: 60,
    suppressed: 3,
    no_consent: 6,
    sendable: 51,
  })
  const done = await push(social, SOCIAL, ['MD5_SHA256_IMEI', 'HASH_MOBILE_PHONE'])
  expect(done).toMatchObject({ status: 'done', total: 120, suppressed: 6, no_consent: 12, sent: 102, waiting: 0 })
  expect(await sandboxContent(done.child_id)).toEqual(
    [
      ...allowed(people(0, 60)).map((no) => sha256(md5(imei(no)))),
      ...allowed(people(0, 60)).map((no) => md5(phone(no))),
    ].toSorted(),
  )
})

test('an uploaded crowd leaves out their known identifiers too, and keeps unknown people’s', async () => {
  const unknown = imei(900)
  const id = await aCustomCrowd(app, adv_id, [
    { name: 'a.txt', content: [3, 5, 7, 10].map((no) => md5(imei(no))).join('\n') },
    { name: 'b.txt', content: md5(unknown) },
  ])
  await app.settled()
  const body = { source: { kind: 'custom' as const, id }, cnt_type: SOCIAL, account_id: social }
  const check = await app.admin.get(checkPush, { body })
  expect(check.types).toMatchObject([{ total: 5, suppressed: 2, no_consent: 1, sendable: 2 }])
})

test('a version that adds only suppressed people is recorded', async () => {
  const files = (numbers: readonly number[]) => [
    { name: 'a.txt', content: numbers.map((no) => md5(imei(no))).join('\n') },
  ]
  const id = await aCustomCrowd(app, adv_id, files([901, 902, 903]))
  await app.settled()
  await app.admin.get(startPush, { params: { cnt_type: SOCIAL }, body: { id, advertiser_id: social } })
  await app.settled()
  await suppress({ type: 'IMEI', lines: [imei(904)] })
  const more = await uploaded(app, app.admin, files([904]))
  await app.admin.get(updateCustomCrowd, { body: { id, operation_type: 1, files: more } })
  await app.settled()
  await app.settled()
  const { funnel } = await app.admin.get(getCustomCrowd, { query: { id } })
  expect(funnel.unique).toBe(4)
  expect(funnel.accounts).toMatchObject([{ unique: 4, sent: 3, suppressed: 1, waiting: 0 }])
  const { list } = await app.admin.get(listPushes, { query: { id } })
  expect(list.map(({ status, adds, removes, total }) => ({ status, adds, removes, total }))).toEqual([
    { status: 'done', adds: 0, removes: 0, total: 4 },
    { status: 'done', adds: 3, removes: 0, total: 3 },
  ])
})

test('a push removes people who were added to the suppression list, and adds back those who left it', async () => {
  await suppress({ type: 'IMEI', lines: [imei(8)] })
  const done = await push(social, SOCIAL, ['MD5_SHA256_IMEI', 'HASH_MOBILE_PHONE'])
  expect(done).toMatchObject({ status: 'done', adds: 0, removes: 2, suppressed: 8 })
  const gone = await sandboxContent(done.child_id)
  expect(gone).not.toContain(sha256(md5(imei(8))))
  expect(gone).not.toContain(md5(phone(8)))
  expect(await app.admin.get(removeSuppression, { body: { adv_id, type: 'IMEI', values: [imei(8)] } })).toEqual({
    removed: 1,
  })
  expect(await push(social, SOCIAL, ['MD5_SHA256_IMEI', 'HASH_MOBILE_PHONE'])).toMatchObject({ adds: 2, removes: 0 })
  expect(await sandboxContent(done.child_id)).toContain(sha256(md5(imei(8))))
})

test('plain ids are hashed for a platform that only takes hashes, once where two types have the same form', async () => {
  const done = await push(video, VIDEO, ['IMEI', 'HASH_IMEI'])
  expect(done).toMatchObject({ status: 'done', adds: 51, total: 120, waiting: 0 })
  expect(await sandboxContent(done.child_id)).toEqual(
    allowed(people(0, 60))
      .map((no) => md5(imei(no)))
      .toSorted(),
  )
})

test('a child that is kept in step gets the changes of a recomputation; others do not', async () => {
  const { list } = await app.admin.get(listRuleChildren, { query: { id: crowd } })
  const child = list.find((one) => one.cnt_type === SOCIAL)
  expect(list.map((one) => one.status)).toEqual(['available', 'available'])
  await app.admin.get(setKeepsStep, { params: { id: child?.id ?? 0 }, body: { keeps_step: true } })
  // A push without keeps_step does not change it.
  await app.admin.get(startPush, {
    params: { cnt_type: SOCIAL },
    body: { id: crowd, advertiser_id: social, kind: 'rule' },
  })
  await app.settled()
  await bring(people(60, 75))
  await app.admin.get(computeRuleCrowd, { params: { id: crowd } })
  await app.settled()
  await app.settled()
  expect(await sandboxContent(child?.id ?? 0)).toEqual(
    [
      ...allowed(people(0, 75)).map((no) => sha256(md5(imei(no)))),
      ...allowed(people(0, 75)).map((no) => md5(phone(no))),
    ].toSorted(),
  )
  const other = list.find((one) => one.cnt_type === VIDEO)?.id ?? 0
  expect((await sandboxContent(other)).length).toBe(51)
  const before = (await app.admin.get(listPushes, { query: { kind: 'rule', id: crowd } })).total
  await app.admin.get(computeRuleCrowd, { params: { id: crowd } })
  await app.settled()
  await app.settled()
  // Nothing changed, so no push is recorded.
  expect((await app.admin.get(listPushes, { query: { kind: 'rule', id: crowd } })).total).toBe(before)
})

test('a push that a viewer starts is recorded, even if an automatic one already waits and nothing changed', async () => {
  const { list } = await app.admin.get(listRuleChildren, { query: { id: crowd } })
  const child_id = list.find((one) => one.cnt_type === SOCIAL)?.id ?? 0
  const body = { id: crowd, advertiser_id: social, kind: 'rule' as const }
  const start = () => app.admin.get(startPush, { params: { cnt_type: SOCIAL }, body })
  const newest = async () => (await app.admin.get(listPushes, { query: { kind: 'rule', id: crowd, child_id } })).list[0]
  await sandbox.control('faults', { platform: 'social', kind: 'busy', times: 50 })
  const { push_id: first } = await start()
  await app.admin.get(computeRuleCrowd, { params: { id: crowd } })
  await vi.waitFor(async () => expect((await newest())?.id).not.toBe(first), 10_000)
  const { push_id } = await start()
  expect((await newest())?.id).toBe(push_id)
  await sandbox.control('faults/forget', {})
  await app.settled()
  const { push: stored } = await app.admin.get(getPush, { params: { id: push_id } })
  expect(stored).toMatchObject({ status: 'done', adds: 0, removes: 0 })
})

test('an automatic push under way that a viewer asks for as well is recorded, even if nothing changed', async () => {
  const { list } = await app.admin.get(listRuleChildren, { query: { id: crowd } })
  const child_id = list.find((one) => one.cnt_type === SOCIAL)?.id ?? 0
  const { db } = app.stores.postgres
  const newest = () =>
    db.selectFrom('push').selectAll().where('child_id', '=', child_id).orderBy('id', 'desc').executeTakeFirstOrThrow()
  const before = await newest()
  await sandbox.control('faults', { platform: 'social', kind: 'busy', times: 50 })
  await app.admin.get(computeRuleCrowd, { params: { id: crowd } })
  await vi.waitFor(
    async () => expect(await newest()).toMatchObject({ status: 'running', viewer_id: null, adds: 0 }),
    10_000,
  )
  const { id } = await newest()
  expect(id).not.toBe(before.id)
  const body = { id: crowd, advertiser_id: social, kind: 'rule' as const }
  expect(await app.admin.get(startPush, { params: { cnt_type: SOCIAL }, body })).toEqual({ push_id: id, child_id })
  await sandbox.control('faults/forget', {})
  await app.settled()
  expect((await app.admin.get(getPush, { params: { id } })).push).toMatchObject({ status: 'done', adds: 0, removes: 0 })
})

test('webhooks report a failed push, without internal details', async () => {
  for (const url of ['http://127.0.0.1:1/x', 'http://[::1]/', 'http://169.254.169.254/latest', 'http://10.0.0.1/']) {
    const refused = await app.admin.call(saveWebhook, { body: { adv_id, kind: 'json', url } })
    expect(refused.msg).toContain('内部网络')
  }
  const { id } = await app.admin.get(saveWebhook, {
    body: { adv_id, kind: 'wecom', url: `${robotUrl}/key=secret1234` },
  })
  const { list } = await app.admin.get(listWebhooks, { query: { adv_id } })
  expect(list).toMatchObject([{ id, kind: 'wecom', url: `${robotUrl}/****1234`, is_on: true, last_error: null }])
  expect(await app.admin.get(tryWebhook, { params: { id } })).toEqual({
    ok: true,
    answer: '已送达',
    outcome: null,
  })
  const refusing = await app.admin.get(saveWebhook, { body: { adv_id, kind: 'wecom', url: `${robotUrl}/refuse` } })
  const refused = await app.admin.get(tryWebhook, { params: { id: refusing.id } })
  expect(refused).toMatchObject({ ok: false, outcome: { code: 'webhook_refused' } })
  expect(refused.answer).toBe(sentenceOrNull(refused.outcome))
  await app.admin.get(saveWebhook, { body: { id: refusing.id, adv_id, kind: 'wecom', is_on: false } })
  received.length = 0

  await app.stores.postgres.db.updateTable('people').set({ name: '北京_*的人' }).where('id', '=', crowd).execute()
  await app.stores.postgres.db.updateTable('audience').set({ name: '北京_*的人' }).execute()
  await bring(people(75, 80))
  await app.admin.get(computeRuleCrowd, { params: { id: crowd } })
  // The platform forbids everything of this account from now on.
  await sandbox.control('tokens/revoke', { platform: 'social', account_id: SANDBOX_ACCOUNTS[1][1] })
  await app.stores.postgres.db.updateTable('platform_login').set({ tokens: null }).execute()
  await app.settled()
  await app.settled()
  expect(received.length).toBe(1)
  const text = JSON.stringify(received[0]?.body)
  expect(text).toContain('人群推送已暂停')
  expect(text).toContain('北京')
  expect(text).toContain('查看详情')
  expect(text).toContain(SANDBOX_ACCOUNTS[1][1])
})
