import { beforeEach, expect, test } from 'vitest'
import { getTargeting } from '#contract/targeting-package.ts'
import { listTargetingCrowds } from '#contract/targeting-tags.ts'
import { accountId } from '../../../sandbox/platforms.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { VIDEO } from '../../testing/platforms.ts'
import { anAuthorisedAccount } from '../../testing/push.ts'
import { checkCrowds } from '../../testing/targeting.ts'
import { videoCrowdsOf } from '../../testing/video-crowds.ts'
import { aVideoPackage } from '../../testing/video-packages.ts'
import { now } from '../../time/clock.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres
const [OWN, OTHER] = [accountId('video', 1), accountId('video', 2)]

let account: number
let own: Awaited<ReturnType<typeof videoCrowdsOf>>
beforeEach(async () => {
  await app.reset()
  await db.deleteFrom('dictionary_copy').execute()
  await sandbox.control('switches/reset', {})
  await sandbox.control('switches', { processing_seconds: 0, video_advertiser_qps: 0, video_application_qps: 0 })
  account = await anAuthorisedAccount(app, sandbox, await anAdvertiser(app), VIDEO, OWN)
  own = await videoCrowdsOf(sandbox, OWN)
})

const crowds = (asked: object = {}) =>
  app.admin.get(listTargetingCrowds, {
    query: { advertiser_id: account, page_size: 500, refresh: '1' as const, ...asked },
  })

test('crowds that plans may use come first, then those that still have to be published or pushed', async () => {
  const before = (await crowds()).total_num
  const usable = await own.add('已推送')
  await own.publish(usable)
  await own.push(usable, OTHER)
  const published = await own.add('待推送')
  await own.publish(published)
  const made = await own.add('待发布')
  const deleted = await own.add('已删除')
  await own.remove(deleted)

  const { list, total_num, recommend_num } = await crowds()
  expect([total_num, recommend_num]).toEqual([before + 3, 0])
  const at = (id: string) => list.find((row) => row.retargeting_tags_id === id)
  expect(at(usable)).toMatchObject({ name: '已推送', is_common: 1, source: 'CUSTOM_AUDIENCE' })
  expect(at(published)).toMatchObject({ name: '待推送', is_common: 0 })
  expect(at(made)).toMatchObject({ name: '待发布', is_common: 0 })
  expect(at(deleted)).toBeUndefined()
  const states = list.map(({ is_common }) => is_common)
  expect(states).toEqual(states.toSorted((one, other) => other - one))

  const inStatus = async (status: string) => (await crowds({ status })).list.map((row) => row.retargeting_tags_id)
  expect(await inStatus('available')).toContain(usable)
  expect(await inStatus('frozen')).toEqual(expect.arrayContaining([published, made]))
  expect(await inStatus('frozen')).not.toContain(usable)
})

test('a crowd that another account pushed is listed once, and is usable', async () => {
  const theirs = await videoCrowdsOf(sandbox, OTHER)
  const id = await theirs.add('他人推送')
  await theirs.publish(id)
  expect((await crowds()).list.map((row) => row.retargeting_tags_id)).not.toContain(id)
  await theirs.push(id, OWN)
  const { list } = await crowds()
  expect(list.filter((row) => row.retargeting_tags_id === id)).toMatchObject([{ name: '他人推送', is_common: 1 }])
})

test('a package with a crowd that waits to be published has lost nothing', async () => {
  const waiting = await own.add('明天发布')
  const gone = await own.add('已不在')
  const uses = (id: string) => ({
    targeting: { landing_type: 'EXTERNAL', auto_crowd_mode: [1], retargeting_tags_include: [id] },
  })
  const kept = await aVideoPackage(app, account, uses(waiting))
  const lost = await aVideoPackage(app, account, { targeting_name: '另一个', ...uses(gone) })
  // What is mirrored is in use there; this is about the account's list.
  await db.deleteFrom('targeting_mirror').execute()
  await own.remove(gone)
  await db
    .updateTable('targeting_package')
    .set({ saved_at: now() - 60 })
    .execute()
  await checkCrowds(app)
  const status = async (id: number) => (await app.admin.get(getTargeting, { query: { id } })).status
  expect([await status(kept), await status(lost)]).toEqual([1, -1])
})
