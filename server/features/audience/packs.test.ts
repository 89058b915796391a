import { beforeEach, expect, test } from 'vitest'
import {
  addAudiencePack,
  copyAudiencePack,
  deleteAudiencePack,
  getAudiencePack,
  getAudiencePackQuota,
  updateAudiencePack,
} from '#contract/audience-pack.ts'
import { deleteCustomCrowd, getCustomCrowd, listCrowdLogs, updateCustomCrowd } from '#contract/custom-crowd.ts'
import { FAULTS } from '#contract/errors.ts'
import type { AudienceCode } from '#contract/platform.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { aCustomCrowd, uploaded } from '../../testing/custom-crowds.ts'
import { SOCIAL, VIDEO } from '../../testing/platforms.ts'
import { anAuthorisedAccount, hashes, SANDBOX_ACCOUNTS, sandboxValues } from '../../testing/push.ts'

const { app, sandbox } = await testAppWithSandbox()

let adv_id: number
let social: number
let other: number
let video: number
beforeEach(async () => {
  await app.reset()
  await sandbox.control('switches/reset', {})
  await sandbox.control('switches', { processing_seconds: 0.1, video_publish_every_seconds: 0 })
  adv_id = await anAdvertiser(app)
  social = await anAuthorisedAccount(app, sandbox, adv_id, 1, SANDBOX_ACCOUNTS[1][0])
  other = await anAuthorisedAccount(app, sandbox, adv_id, 1, SANDBOX_ACCOUNTS[1][1])
  video = await anAuthorisedAccount(app, sandbox, adv_id, 2, SANDBOX_ACCOUNTS[2][0])
})

let named = 0
async function aCrowd(lines: readonly string[]): Promise<number> {
  const name = `人群包${++named}_${Date.now() % 1e6}`
  const id = await aCustomCrowd(app, adv_id, [{ name: 'a.txt', content: lines.join('\n') }], { name })
  await app.settled()
  return id
}
const add = (id: number, advertiser_id: number, cnt_type: AudienceCode) =>
  app.admin.get(addAudiencePack, { params: { cnt_type }, body: { id, advertiser_id } })
const raw = async (url: string, method: 'GET' | 'POST' = 'GET', payload?: object) => {
  const headers = { cookie: app.admin.cookie, 'sec-fetch-site': 'same-origin' }
  return (await app.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })).json()
}

test('a pack is added, found under every path, updated, copied and deleted; its crowd’s funnel adds up', async () => {
  const crowd = await aCrowd(hashes(0, 3000))
  const { id } = await add(crowd, social, SOCIAL)
  await app.settled()
  const pack = await app.admin.get(getAudiencePack, { params: { cnt_type: SOCIAL }, query: { id } })
  expect(pack).toMatchObject({
    id,
    kind: 'custom',
    cnt_id: crowd,
    adv_id: social,
    cnt_type: SOCIAL,
    status: 'available',
  })
  for (const base of ['/api/v1', '/v1']) {
    const at = `${base}/gdtcrowd/custom/audiences`
    for (const list of [`${at}/list/1`, `${at}/list`, `${at}/list?advertiser_id=${social}`]) {
      expect(await raw(list)).toMatchObject({ code: 0, data: { list: [{ id }], page_info: { total_number: 1 } } })
    }
    expect(await raw(`${at}/list/2`)).toMatchObject({ data: { list: [] } })
    expect(await raw(`${at}/get?id=${id}`)).toMatchObject({ data: { id } })
    expect(await raw(`${at}/get/2?id=${id}`)).toMatchObject({ code: FAULTS.notFound.code })
    for (const quota of [`${at}/quota?advertiser_id=${social}`, `${at}/quota/1?advertiser_id=${social}`]) {
      expect(await raw(quota)).toMatchObject({ data: { used: 1, total: 500 } })
    }
    for (const key of ['advertiser_id', 'adv_id']) {
      expect(await raw(`${at}/delete?id=${id}&${key}=${social}&check=1`)).toMatchObject({ data: { msg: 'OK' } })
      expect(await raw(`${at}/list/1?${key}=${social}&status=available,frozen`)).toMatchObject({
        data: { list: [{ id }] },
      })
      expect(await raw(`${at}/list/1?${key}=${other}`)).toMatchObject({ data: { list: [] } })
      expect(await raw(`${at}/quota/1?${key}=${social}`)).toMatchObject({ data: { used: 1 } })
    }
    for (const call of [`delete?id=${id}&check=1&`, 'list/1?', 'quota/1?']) {
      expect(await raw(`${at}/${call}advertiser_id=${social}&adv_id=${other}`)).toMatchObject({
        code: FAULTS.badInput.code,
        msg: '「advertiser_id」与「adv_id」是同一个参数，值不一致',
      })
    }
  }

  const copy = await app.admin.get(copyAudiencePack, {
    params: { cnt_type: SOCIAL },
    body: { id, advertiser_id: other },
  })
  expect(
    await app.admin.call(copyAudiencePack, { params: { cnt_type: SOCIAL }, body: { id, advertiser_id: social } }),
  ).toMatchObject({ code: 2, msg: '请选择另一个平台账户' })
  await app.settled()
  const copied = await app.admin.get(getAudiencePack, { params: { cnt_type: SOCIAL }, query: { id: copy.id } })
  expect(copied).toMatchObject({ cnt_id: crowd, adv_id: other })
  expect((await sandboxValues(sandbox, 1, copied.tag_id ?? '')).length).toBe(3000)

  const { funnel } = await app.admin.get(getCustomCrowd, { query: { id: crowd } })
  expect(funnel.unique).toBe(3000)
  expect(funnel.accounts).toHaveLength(2)
  for (const account of funnel.accounts) {
    const { unique, sent, suppressed, no_consent, not_sendable, waiting, accepted } = account
    expect({ unique, sent, waiting, accepted }).toEqual({ unique: 3000, sent: 3000, waiting: 0, accepted: 3000 })
    expect(sent + suppressed + no_consent + not_sendable + waiting).toBe(unique)
  }

  const again = await app.admin.get(updateAudiencePack, { params: { cnt_type: SOCIAL }, body: { id } })
  expect(again.id).toBe(id)
  await app.settled()

  expect(await raw(`/v1/gdtcrowd/custom/audiences/delete/1?id=${id}&advertiser_id=${other}`)).toMatchObject({
    code: FAULTS.notFound.code,
  })
  expect(
    await app.admin.get(deleteAudiencePack, { params: { cnt_type: SOCIAL }, query: { id, advertiser_id: social } }),
  ).toEqual({ msg: 'OK', refusal_outcome: null, users: [] })
  expect(await app.admin.call(getAudiencePack, { params: { cnt_type: SOCIAL }, query: { id } })).toMatchObject({
    code: FAULTS.notFound.code,
  })
  expect(
    await app.admin.get(getAudiencePackQuota, { params: { cnt_type: SOCIAL }, query: { advertiser_id: social } }),
  ).toEqual({ used: 0, total: 500 })
})

test('a crowd is deleted only after its children on both platforms; the log records all of it', async () => {
  const crowd = await aCrowd(hashes(0, 3000))
  const children = [await add(crowd, social, SOCIAL), await add(crowd, video, VIDEO)]
  await app.settled()
  const remove = (query: { id: number; advertiser_id: number; cnt_type?: AudienceCode }) =>
    app.admin.call(deleteCustomCrowd, { query })
  expect(await remove({ id: crowd, advertiser_id: adv_id })).toMatchObject({ code: FAULTS.customHasChildren.code })
  for (const [at, { id }] of children.entries()) {
    const cnt_type = at === 0 ? 1 : 2
    expect(await remove({ id, advertiser_id: at === 0 ? social : video, cnt_type })).toMatchObject({ code: 0 })
  }
  const { list } = await app.admin.get(listCrowdLogs, { query: { id: crowd, page_size: 50 } })
  expect(list.filter((log) => log.op_type === 3)).toHaveLength(2)
  expect(list.filter((log) => log.op_type === 4)).toHaveLength(2)
  expect(list.filter((log) => log.version !== null)).toHaveLength(1)
  const own = await app.admin.get(listCrowdLogs, { query: { id: crowd, op_type: 4 } })
  expect(own.total).toBe(2)
  expect(await remove({ id: crowd, advertiser_id: adv_id })).toMatchObject({ code: 0 })
})

test('a crowd is not edited while a platform computes its child, and its children follow its versions', async () => {
  const crowd = await aCrowd(hashes(0, 3000))
  await sandbox.control('switches', { processing_seconds: 3 })
  const { id } = await add(crowd, social, SOCIAL)
  const files = await uploaded(app, app.admin, [{ name: 'b.txt', content: hashes(2000, 4000).join('\n') }])
  const update = () => app.admin.call(updateCustomCrowd, { body: { id: crowd, operation_type: 1, files } })
  expect(await update()).toMatchObject({ code: FAULTS.customNotEditable.code })
  await sandbox.control('switches', { processing_seconds: 0.1 })
  await app.settled()
  expect(await update()).toMatchObject({ code: 0 })
  await app.settled()
  await app.settled()
  const { funnel } = await app.admin.get(getCustomCrowd, { query: { id: crowd } })
  expect(funnel).toMatchObject({ lines: 5000, repeated: 1000, unique: 4000 })
  expect(funnel.accounts[0]).toMatchObject({ child_id: id, unique: 4000, sent: 4000, waiting: 0 })
})
