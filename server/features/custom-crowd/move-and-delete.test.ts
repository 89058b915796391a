import { createHash } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  deleteCustomCrowd,
  getCustomCrowd,
  listCrowdLogs,
  listCustomCrowds,
  listDeletedCustomCrowds,
  moveCustomCrowds,
  undeleteCustomCrowds,
  updateCustomCrowd,
} from '#contract/custom-crowd.ts'
import { createCustomFolder, deleteCustomFolder, listCustomFolders } from '#contract/custom-folder.ts'
import { FAULTS } from '#contract/errors.ts'
import { outcome } from '#contract/outcome.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { aChild, aCustomCrowd, anAccount } from '../../testing/custom-crowds.ts'
import { SOCIAL, VIDEO } from '../../testing/platforms.ts'
import { testApp } from '../../testing/test-app.ts'
import { now } from '../../time/clock.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())
const { db } = app.stores.postgres

const FILES = [{ name: 'a.txt', content: `${createHash('md5').update('a').digest('hex')}\nbad\n` }]
const get = (id: number) => app.admin.get(getCustomCrowd, { query: { id } })
const logsOf = async (id: number) => (await app.admin.get(listCrowdLogs, { query: { id, page_size: 50 } })).list
const code = (answer: { code: number }) => answer.code

describe('folders', () => {
  test('a move takes all crowds or none; names are unique within a folder', async () => {
    const adv_id = await anAdvertiser(app)
    const { id: dir_id } = await app.admin.get(createCustomFolder, { body: { name: '春季' } })
    const a = await aCustomCrowd(app, adv_id, FILES, { name: '同名' })
    const b = await aCustomCrowd(app, adv_id, FILES, { name: '同名', dir_id })
    const c = await aCustomCrowd(app, adv_id, FILES, { name: '另一个' })
    await app.settled()
    const move = (id: number | number[], to: number) => app.admin.call(moveCustomCrowds, { body: { id, dir_id: to } })
    expect(await move([c, a], dir_id)).toMatchObject({ code: 3, msg: '同级目录下不允许重名' })
    expect((await get(c)).crowd.dir_id).toBe(1)
    expect(code(await move(c, dir_id))).toBe(0)
    expect((await get(c)).crowd.dir_id).toBe(dir_id)
    expect(await move([a, c], 99)).toMatchObject({ code: FAULTS.notFound.code, msg: '文件夹不存在或已被删除' })
    expect(await app.admin.call(updateCustomCrowd, { body: { id: c, name: '同名' } })).toMatchObject({ code: 3 })
    expect((await logsOf(c))[0]).toMatchObject({ op_type: 0, what: '移动到文件夹「春季」' })
    expect((await get(b)).crowd.name).toBe('同名')
  })

  test('a folder with crowds that the viewer cannot see cannot be deleted', async () => {
    const hidden = await anAdvertiser(app)
    const other = await app.viewer('other', [await anAdvertiser(app)])
    const { id: outer } = await app.admin.get(createCustomFolder, { body: { name: '外' } })
    const { id: inner } = await app.admin.get(createCustomFolder, { body: { name: '内', parent_id: outer } })
    const crowd = await aCustomCrowd(app, hidden, FILES, { dir_id: inner })
    await app.settled()
    for (const [id, check] of [
      [outer, '1'],
      [outer, '0'],
      [inner, '0'],
    ] as const) {
      expect(await other.call(deleteCustomFolder, { params: { id }, query: { check } })).toMatchObject({
        code: FAULTS.folderHoldsOthers.code,
        msg: '文件夹里有其他广告主的内容，您不能全部看到，所以不能重命名、移动或删除；请联系管理员',
      })
      expect(await app.admin.call(deleteCustomFolder, { params: { id }, query: { check } })).toMatchObject({
        code: FAULTS.folderHoldsCrowds.code,
        msg: '当前文件夹下存在人群包，请先移除人群包后再对文件夹进行删除操作。',
      })
    }
    await app.admin.get(deleteCustomCrowd, { query: { id: crowd, advertiser_id: hidden } })
    await other.get(deleteCustomFolder, { params: { id: outer } })
    expect(await app.admin.get(listCustomFolders)).toMatchObject([
      { id: 1, name: '默认分组', parent_id: null, sub_dirs: [] },
    ])
  })
})

describe('deleting', () => {
  test('a crowd with children cannot be deleted; the check says why', async () => {
    const adv_id = await anAdvertiser(app)
    const id = await aCustomCrowd(app, adv_id, FILES, { name: '老客' })
    await app.settled()
    const account = await anAccount(app, adv_id, SOCIAL)
    const child = await aChild(app, id, account, SOCIAL)
    const remove = (check: '0' | '1') =>
      app.admin.call(deleteCustomCrowd, { query: { id, advertiser_id: adv_id, check } })
    const msg = '人群包 老客 在平台账户下还有 1 个子人群，请先删除子人群'
    const words = { name: '老客', count: 1 }
    const refusal_outcome = outcome('fault', { fault: 'customHasChildren', words })
    expect(await remove('1')).toMatchObject({ code: 0, data: { msg, refusal_outcome } })
    expect(await remove('0')).toMatchObject({ code: FAULTS.customHasChildren.code, msg })
    await db.updateTable('audience').set({ deleted_at: now() }).where('id', '=', child).execute()
    expect(await remove('1')).toMatchObject({ data: { msg: 'OK', refusal_outcome: null } })
    expect(code(await app.admin.call(deleteCustomCrowd, { query: { id, advertiser_id: account } }))).toBe(
      FAULTS.notFound.code,
    )
    expect(code(await remove('0'))).toBe(0)
    expect(code(await remove('0'))).toBe(FAULTS.notFound.code)
    expect(await app.admin.get(listCustomCrowds)).toMatchObject({ total: 0 })
  })

  test('a child used by a live plan cannot be deleted', async () => {
    const adv_id = await anAdvertiser(app)
    const id = await aCustomCrowd(app, adv_id, FILES)
    await app.settled()
    const account = await anAccount(app, adv_id, VIDEO)
    const child = await aChild(app, id, account, VIDEO, { audience_id: '778899' })
    await db.insertInto('audience_use').values({ child_id: child, plan_id: 1, plan_name: '计划', live: true }).execute()
    const remove = (check: '0' | '1') =>
      app.admin.call(deleteCustomCrowd, { query: { id: child, advertiser_id: account, cnt_type: VIDEO, check } })
    const msg = '人群包 778899 正在被计划使用中，不可删除'
    expect(await remove('1')).toMatchObject({ code: 0, data: { msg } })
    expect(await remove('0')).toMatchObject({ code: FAULTS.audienceInUse.code, msg })
  })

  test('a version whose crowd is deleted during the check never comes into force', async () => {
    const adv_id = await anAdvertiser(app)
    const id = await aCustomCrowd(app, adv_id, FILES)
    await app.admin.get(deleteCustomCrowd, { query: { id, advertiser_id: adv_id } })
    await app.settled()
    const row = await db.selectFrom('custom_crowd').select(['version', 'size']).where('id', '=', id).executeTakeFirst()
    expect(row).toEqual({ version: 0, size: null })
  })

  test('members can undo a deletion for 7 days if the name is still free', async () => {
    const adv_id = await anAdvertiser(app)
    const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
    const id = await aCustomCrowd(app, adv_id, FILES, { name: '回来' })
    await app.settled()
    await app.admin.get(deleteCustomCrowd, { query: { id, advertiser_id: adv_id } })
    const [row] = await app.admin.get(listDeletedCustomCrowds)
    expect(row).toMatchObject({ id, name: '回来', adv_id, dir_name: '默认分组', size: 1 })
    expect((row?.until ?? 0) - (row?.deleted_at ?? 0)).toBe(7 * 86_400)
    expect(await stranger.get(listDeletedCustomCrowds)).toEqual([])
    const deletedDaysAgo = (days: number) =>
      db
        .updateTable('custom_crowd')
        .set({ deleted_at: now() - days * 86_400 })
        .execute()
    const undelete = (caller = app.admin) => caller.call(undeleteCustomCrowds, { body: { ids: [id] } })
    expect(code(await undelete(stranger))).toBe(FAULTS.restoreGone.code)
    const inTheWay = await aCustomCrowd(app, adv_id, FILES, { name: '回来' })
    await app.settled()
    expect(code(await undelete())).toBe(FAULTS.nameTaken.code)
    await app.admin.get(deleteCustomCrowd, { query: { id: inTheWay, advertiser_id: adv_id } })
    await deletedDaysAgo(6)
    await app.services.customCrowds.purge()
    expect(code(await undelete())).toBe(0)
    await app.settled()
    expect((await get(id)).crowd).toMatchObject({ status: 'available', user_count: 1 })
    expect((await logsOf(id))[0]).toMatchObject({ what: '恢复已删除的人群' })
    await deletedDaysAgo(7)
    expect(await app.admin.get(listDeletedCustomCrowds)).toEqual([])
    expect(code(await undelete())).toBe(FAULTS.restoreGone.code)
  })

  test('a crowd deleted during its check is restored as failed', async () => {
    const adv_id = await anAdvertiser(app)
    const id = await aCustomCrowd(app, adv_id, FILES)
    await app.admin.get(deleteCustomCrowd, { query: { id, advertiser_id: adv_id } })
    await app.admin.get(undeleteCustomCrowds, { body: { ids: [id] } })
    await app.settled()
    expect((await get(id)).crowd).toMatchObject({
      status: 'failed',
      reason: '校验因人群被删除而中止，请重新上传',
      user_count: null,
    })
  })
})
