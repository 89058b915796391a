import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { createAssetFolder } from '#contract/folder.ts'
import { estimateReach } from '#contract/targeting-estimate.ts'
import * as contract from '#contract/targeting-package.ts'
import { findTags, getTags } from '#contract/targeting-tags.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { COMMERCE } from '../../testing/platforms.ts'
import { aCommerceAccount, aPackage } from '../../testing/targeting.ts'
import { testApp } from '../../testing/test-app.ts'
import { now } from '../../time/clock.ts'
import { endOfDay } from '../../time/day.ts'

const app = await testApp()
const { db } = app.stores.postgres
afterAll(() => app.close())

/** Above 2^53 and odd: read as a number, it would be another id. */
const TARGETING_ID = '9407199254740993'
const TARGETING = { landing_type: 'LIVE' }
const LATER = () => endOfDay(now() + 90 * 86_400, app.stores.settings.timezone)

let account: number
let other: number
let spring: number
let summer: number
let id: number
beforeEach(async () => {
  await app.reset()
  const adv_id = await anAdvertiser(app)
  account = await aCommerceAccount(app, adv_id)
  other = await aCommerceAccount(app, adv_id)
  spring = (await app.admin.get(createAssetFolder, { body: { name: '春季' } })).id
  summer = (await app.admin.get(createAssetFolder, { body: { name: '夏季', parentId: spring } })).id
  id = await aPackage(app, account, { targeting_name: '老客' })
  await db.updateTable('targeting_package').set({ targeting_id: TARGETING_ID }).where('id', '=', id).execute()
})

type Body = Record<string, unknown>
const send = (endpoint: Endpoint, body: Body) => app.admin.call(endpoint, { body } as never)
const detail = (package_id: number) => app.admin.get(contract.getTargeting, { query: { id: package_id } })

/** The smallest body of each call that changes something. */
const CALLS: Record<string, { endpoint: Endpoint; body: () => Body }> = {
  add: {
    endpoint: contract.addTargeting,
    body: () => ({ targeting_name: '新客', dir_id: 1, advertiser_id: account, targeting: TARGETING }),
  },
  update: { endpoint: contract.updateTargeting, body: () => ({ id, targeting_name: '改名' }) },
  copy: { endpoint: contract.copyTargeting, body: () => ({ id }) },
  move: { endpoint: contract.moveTargetings, body: () => ({ id: [id], dir_id: spring }) },
}

test.each(Object.keys(CALLS))(
  '%s takes the payload of the specification, and refuses an unknown key by name',
  async (name) => {
    const { endpoint, body } = CALLS[name] as (typeof CALLS)[string]
    expect(await send(endpoint, { ...body(), colour: '红' })).toMatchObject({
      status: 400,
      msg: expect.stringContaining('「colour」'),
    })
    expect(await send(endpoint, body())).toMatchObject({ code: 0 })
  },
)

/** Each other spelling: of which key, with a value, and with the value that the key itself then has. */
const SPELLINGS: [string, string, string, () => unknown, () => unknown, () => Body][] = [
  ['add', 'name', 'targeting_name', () => '新名', () => '新名', () => ({ name: '新名' })],
  ['add', 'adv_id', 'advertiser_id', () => other, () => other, () => ({ advertiser_id: other })],
  ['add', 'dirId', 'dir_id', () => summer, () => summer, () => ({ dir_id: summer })],
  ['add', 'local_dir_id', 'dir_id', () => [spring, summer], () => summer, () => ({ dir_id: summer })],
  ['add', 'invalidTime', 'invalid_time', LATER, LATER, () => ({ invalidTime: LATER() })],
  ['update', 'name', 'targeting_name', () => '新名', () => '新名', () => ({ name: '新名' })],
  ['update', 'adv_id', 'advertiser_id', () => account, () => account, () => ({ advertiser_id: account })],
  ['update', 'dirId', 'dir_id', () => [spring, summer], () => summer, () => ({ dir_id: summer })],
  ['update', 'invalidTime', 'invalid_time', LATER, LATER, () => ({ invalidTime: LATER() })],
  ['copy', 'name', 'targeting_name', () => '新名', () => '新名', () => ({ name: '新名' })],
  ['copy', 'adv_id', 'advertiser_id', () => other, () => other, () => ({ advertiser_id: other })],
  ['copy', 'local_dir_id', 'dir_id', () => [spring], () => spring, () => ({ dir_id: spring })],
  ['move', 'local_dir_id', 'dir_id', () => [spring, summer], () => summer, () => ({ dir_id: summer })],
  ['move', 'dirId', 'dir_id', () => summer, () => summer, () => ({ dir_id: summer })],
]

describe.each(SPELLINGS)('%s, %s for %s', (name, spelling, key, given, same, saved) => {
  const { endpoint, body } = CALLS[name] as (typeof CALLS)[string]
  const without = () => {
    const { [key]: _, ...rest } = body()
    return rest
  }
  const changed = async (answer: { data: unknown }) =>
    detail((answer.data as { id?: number } | null)?.id ?? id) as Promise<object>

  test('is read alone, and beside the same value', async () => {
    const first = await send(endpoint, { ...without(), [spelling]: given() })
    expect(first).toMatchObject({ code: 0 })
    expect(await changed(first)).toMatchObject(saved())
  })

  test('beside the same value is one, and beside another one refused', async () => {
    const different = typeof same() === 'string' ? '别名' : Number(same()) + 1
    expect(await send(endpoint, { ...without(), [key]: different, [spelling]: given() })).toMatchObject({
      status: 400,
      msg: expect.stringContaining(`「${key}」与「${spelling}」是同一个参数，值不一致`),
    })
    expect(await send(endpoint, { ...without(), [key]: same(), [spelling]: given() })).toMatchObject({ code: 0 })
  })
})

test('a key that must be there is missed under its own name, whatever its spellings', async () => {
  const { dir_id: _, ...body } = CALLS.add?.body() ?? {}
  expect(await send(contract.addTargeting, body)).toMatchObject({ status: 400 })
  expect(await send(contract.addTargeting, { ...body, local_dir_id: [] })).toMatchObject({
    status: 400,
    msg: '请选择存储路径',
  })
  expect(await send(contract.addTargeting, { ...body, local_dir_id: [1, spring, 1, 1, 1, 1] })).toMatchObject({
    status: 400,
    msg: '请选择存储路径',
  })
})

const preview = (words: string) => JSON.stringify({ previewTargets: [{ label: '性别', words: [words] }] })
/** JSON text of exactly so many bytes, each Chinese character three of them. */
const ofBytes = (bytes: number) => {
  const text = JSON.stringify('客'.repeat(Math.floor((bytes - 2) / 3)))
  return text.padEnd(text.length + ((bytes - 2) % 3), ' ')
}
const LIMIT = 256 * 1024

test.each<[string, unknown, string | null]>([
  ['a preview that says something else', preview('男'), null],
  ['the largest one', ofBytes(LIMIT), null],
  ['one byte more', ofBytes(LIMIT + 1), '预览不能超过 256 KB'],
  ['no JSON', '{previewTargets', '预览不是有效的 JSON 文字'],
  ['an object', { previewTargets: [] }, '参数「bring_data」应为文字'],
])('bring_data that is %s', async (_, bring_data, refusal) => {
  for (const name of ['add', 'update']) {
    const { endpoint, body } = CALLS[name] as (typeof CALLS)[string]
    const answer = await send(endpoint, { ...body(), bring_data })
    if (refusal) expect(answer).toMatchObject({ status: 400, msg: expect.stringContaining(refusal) })
    else {
      const saved = await detail((answer.data as { id: number }).id)
      expect(saved.bring_data).not.toContain('客')
      const { previewTargets } = JSON.parse(saved.bring_data) as { previewTargets: { words: string[] }[] }
      expect(previewTargets.map(({ words }) => words.join())).toEqual(name === 'add' ? [] : ['50 岁及以上', '女'])
    }
  }
})

describe('a targeting id of 64 bits is text', () => {
  const WRONG = '9407199254740992'
  test('in the list, which finds it to its last digit', async () => {
    const listed = async (targeting_id: unknown) =>
      (await app.admin.get(contract.listTargetings, { body: { platform: COMMERCE, targeting_id } as never })).list
    expect(await listed(TARGETING_ID)).toMatchObject([{ id, targeting_id: TARGETING_ID }])
    expect(await listed(WRONG)).toEqual([])
  })

  test('in an update and a deletion, where it must be the package’s own', async () => {
    const update = (targeting_id: unknown) =>
      send(contract.updateTargeting, { id, targeting_name: '改名', targeting_id })
    expect(await update(WRONG)).toMatchObject({ status: 404 })
    expect(await update(Number(TARGETING_ID))).toMatchObject({ status: 400 })
    expect(await update(TARGETING_ID)).toMatchObject({ code: 0 })
    const remove = (targeting_id: string, more: object = {}) =>
      app.admin.call(contract.deleteTargetings, { query: { id: String(id), targeting_id, ...more } as never })
    expect(await remove(WRONG)).toMatchObject({ status: 404 })
    expect(await remove(TARGETING_ID, { adv_id: other })).toMatchObject({ status: 404 })
    expect(await remove(TARGETING_ID, { adv_id: account, advertiser_id: other })).toMatchObject({ status: 400 })
    expect(await remove(TARGETING_ID, { adv_id: account })).toMatchObject({ code: 0, data: { msg: 'OK' } })
  })
})

test('the estimate and the tags name the account in either way', async () => {
  const asked: [Endpoint, 'body' | 'query', Body][] = [
    [estimateReach, 'body', { targeting: TARGETING }],
    [findTags, 'body', { type: 'REGION_PLAN', filtering: [] }],
    [getTags, 'query', { type: 'REGION_PLAN', filtering: '[]' }],
  ]
  for (const [endpoint, place, rest] of asked) {
    const call = (given: Body) => app.admin.call(endpoint, { [place]: { ...rest, ...given } } as never)
    const { status } = await call({ advertiser_id: account })
    expect((await call({ adv_id: account })).status).toBe(status)
    expect(await call({ adv_id: other, advertiser_id: account })).toMatchObject({
      status: 400,
      msg: expect.stringContaining('「advertiser_id」与「adv_id」是同一个参数，值不一致'),
    })
    expect(await call({})).toMatchObject({ status: 400 })
  }
})
