import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { afterAll, beforeEach, expect, test } from 'vitest'
import {
  deleteCustomCrowd,
  getCustomCrowd,
  listCrowdFiles,
  malformedPath,
  undeleteCustomCrowds,
  updateCustomCrowd,
} from '#contract/custom-crowd.ts'
import { RESTORE_SECONDS } from '#contract/deleted.ts'
import { FAULTS } from '#contract/errors.ts'
import { listTasks, retryTask } from '#contract/task.ts'
import { transaction } from '../../postgres/transaction.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { aCustomCrowd, uploaded } from '../../testing/custom-crowds.ts'
import { testApp } from '../../testing/test-app.ts'
import { now } from '../../time/clock.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())
const { db } = app.stores.postgres

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `${md5(`${from + i}`)}\n`).join('')
/** A workbook under the name of a text, which the check refuses. */
const unreadable = Buffer.from('PK\u0003\u0004')

const get = async (id: number) => (await app.admin.get(getCustomCrowd, { query: { id } })).crowd
const failedTask = async () => {
  const { list } = await app.admin.get(listTasks)
  return list.find((task) => task.status === 'failed')?.id ?? 0
}
const retry = async () => app.admin.call(retryTask, { params: { id: await failedTask() } })
const pathOf = async (crowd_id: number) => {
  const { uri } = await db
    .selectFrom('crowd_file')
    .select('uri')
    .where('crowd_id', '=', crowd_id)
    .executeTakeFirstOrThrow()
  return app.services.uploads.files.pathOf(uri ?? '')
}

test('a failed version is retried from the task tray with the same uploads', async () => {
  const adv_id = await anAdvertiser(app)
  // A file of another size would be refused as damaged.
  const padded = Buffer.concat([unreadable, Buffer.alloc(lines(0, 7).length - unreadable.length)])
  const id = await aCustomCrowd(app, adv_id, [{ name: 'a.txt', content: padded }])
  await app.settled()
  expect(await get(id)).toMatchObject({ status: 'failed', user_count: null, retry_task_id: await failedTask() })
  writeFileSync(await pathOf(id), lines(0, 7))
  expect(await retry()).toMatchObject({ code: 0 })
  await app.settled()
  expect(await get(id)).toMatchObject({ status: 'available', user_count: 7, reason: null, retry_task_id: null })
  expect((await app.admin.get(listCrowdFiles, { query: { id } })).files).toMatchObject([
    { status: 'done', line_count: 7, error: null },
  ])
})

test('a failed version is not retried after a newer version or once its uploads are gone', async () => {
  const adv_id = await anAdvertiser(app)
  const id = await aCustomCrowd(app, adv_id, [{ name: 'a.txt', content: lines(0, 3) }])
  await app.settled()
  const append = async (content: string | Buffer) => {
    const files = await uploaded(app, app.admin, [{ name: 'b.txt', content }])
    await app.admin.get(updateCustomCrowd, { body: { id, operation_type: 1, files } })
    await app.settled()
  }
  await append(unreadable)
  await append(lines(0, 5))
  expect(await retry()).toMatchObject({ code: FAULTS.taskNotRetryable.code })
  expect(await get(id)).toMatchObject({ status: 'available', user_count: 5, reason: null })

  const other = await aCustomCrowd(app, adv_id, [{ name: 'a.txt', content: unreadable }])
  await app.settled()
  const path = await pathOf(other)
  await app.services.customCrowds.sweep()
  expect(existsSync(path)).toBe(true)
  await db
    .updateTable('custom_version')
    .set({ finished_at: now() - 2 * 86_400 })
    .where('crowd_id', '=', other)
    .execute()
  await app.services.customCrowds.sweep()
  expect(existsSync(path)).toBe(false)
  expect(await retry()).toMatchObject({ code: 0 })
  await app.settled()
  expect(await get(other)).toMatchObject({ status: 'failed', reason: '上传的文件已被清理，请重新上传' })
})

test('values, members and malformed lines of a deleted crowd are removed', async () => {
  const adv_id = await anAdvertiser(app)
  const id = await aCustomCrowd(app, adv_id, [{ name: 'a.txt', content: `${lines(0, 3)}bad\n` }])
  await app.settled()
  const [file] = (await app.admin.get(listCrowdFiles, { query: { id } })).files
  const path = app.services.identifiers.malformedPath(file?.id ?? 0)
  expect(existsSync(path)).toBe(true)
  const stored = async () => {
    const [row] = await app.stores.warehouse.live.acrossShards.query<{ n: number }>(
      'SELECT count() AS n FROM crowd_identifier WHERE crowd_id = {id:UInt32}',
      { id },
    )
    return row?.n
  }
  expect(await stored()).toBe(3)
  await app.admin.get(deleteCustomCrowd, { query: { id, advertiser_id: adv_id } })
  const { purge } = app.services.customCrowds
  await purge()
  // The deletion can still be undone.
  expect(await stored()).toBe(3)
  await app.admin.get(undeleteCustomCrowds, { body: { ids: [id] } })
  await app.admin.get(deleteCustomCrowd, { query: { id, advertiser_id: adv_id } })
  const deletedAt = (deleted_at: number) => db.updateTable('custom_crowd').set({ deleted_at }).where('id', '=', id)
  // The clock was set back after the deletion: the 7 days begin now.
  await deletedAt(now() + 30 * 86_400).execute()
  await purge()
  expect(await stored()).toBe(3)
  const [crowd] = await db.selectFrom('custom_crowd').select('deleted_at').where('id', '=', id).execute()
  expect(crowd?.deleted_at).toBeLessThanOrEqual(now())
  await deletedAt(now() - RESTORE_SECONDS - 60).execute()
  await purge()
  // A restore that began in time may still be running.
  expect(await stored()).toBe(3)
  await deletedAt(now() - 8 * 86_400).execute()
  // As older versions sent it when the crowd was deleted.
  await transaction(db, (tx) => app.stores.jobs.send(tx, 'custom.drop', { crowd_id: id }))
  await app.settled()
  expect(await stored()).toBe(0)
  expect(existsSync(path)).toBe(false)
})

test('phones in malformed lines are masked for viewers who may not see phones', async () => {
  const adv_id = await anAdvertiser(app)
  const member = await app.viewer('member', [adv_id])
  const id = await aCustomCrowd(app, adv_id, [{ name: 'a.txt', content: `${lines(0, 2)}13912345678\n` }], {
    user_id_type: 'HASH_MOBILE_PHONE',
  })
  await app.settled()
  const [file] = (await app.admin.get(listCrowdFiles, { query: { id } })).files
  const download = async (cookie: string) =>
    (await app.app.inject({ method: 'GET', url: malformedPath(file?.id ?? 0), headers: { cookie } })).body
  expect(await download(member.cookie)).toContain('139****5678')
  expect(await download(member.cookie)).not.toContain('13912345678')
})
