import { beforeEach, expect, test } from 'vitest'
import { getTargeting, listTargetings } from '#contract/targeting-package.ts'
import { accountId } from '../../../sandbox/platforms.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { SOCIAL } from '../../testing/platforms.ts'
import { anAuthorisedAccount } from '../../testing/push.ts'
import { socialAudiences } from '../../testing/social-audiences.ts'
import { aPackage, checkCrowds } from '../../testing/targeting.ts'
import { now } from '../../time/clock.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres
const audiences = socialAudiences(sandbox)
const [OWN, OTHER] = [accountId('social', 1), accountId('social', 2)]

let account: number
/** An audience of the account, and one that another account granted to it. */
let own: string
let granted: string
let made = 0
beforeEach(async () => {
  await app.reset()
  await db.deleteFrom('dictionary_copy').execute()
  account = await anAuthorisedAccount(app, sandbox, await anAdvertiser(app), SOCIAL, OWN)
  own = await audiences.usable(OWN, `自有${++made}`)
  granted = await audiences.usable(OTHER, `他人${made}`)
  await audiences.grant(OTHER, granted, OWN)
})

const aUser = (targeting_name: string, targeting: Record<string, unknown>) =>
  aPackage(app, account, { targeting_name, targeting })
async function users() {
  const ids = [
    await aUser('定向', { custom_audience: [own, granted] }),
    await aUser('排除', { excluded_custom_audience: [granted] }),
    await aUser('不用人群', { gender: ['FEMALE'] }),
  ] as const
  await db
    .updateTable('targeting_package')
    .set({ saved_at: now() - 60 })
    .execute()
  return ids
}
const lost = async () => {
  const { list } = await app.admin.get(listTargetings, { body: { platform: SOCIAL, status: '-1' } as never })
  return list.map(({ name }) => name).toSorted()
}
const BOTH = ['定向', '排除'].toSorted()

test.each<[string, Parameters<typeof audiences.set>[1]]>([
  ['is frozen', { status: 'FROZEN' }],
  ['lost its source, which the owner withdrew', { status: 'LOCKING' }],
  ['is offline for want of use', { status: 'SUCCESS', online_status: 'OFFLINE' }],
])('packages whose audience %s are 人群失效, and no longer once it can be targeted again', async (_, state) => {
  await users()
  await checkCrowds(app)
  expect(await lost()).toEqual([])
  await audiences.set(own, state)
  await checkCrowds(app)
  expect(await lost()).toEqual(['定向'])
  await audiences.set(granted, state)
  await checkCrowds(app)
  expect(await lost()).toEqual(BOTH)
  for (const id of [own, granted]) await audiences.set(id, { status: 'SUCCESS', online_status: 'ONLINE' })
  await checkCrowds(app)
  expect(await lost()).toEqual([])
})

test('a deleted audience makes its packages 人群失效, also where one is opened', async () => {
  const [using] = await users()
  await audiences.remove(OWN, own)
  expect((await app.admin.get(getTargeting, { query: { id: using } })).status).toBe(-1)
  expect(await lost()).toEqual(['定向'])
  await checkCrowds(app)
  expect(await lost()).toEqual(['定向'])
})

test.each<Parameters<typeof audiences.set>[1]>([
  { status: 'PENDING' },
  { status: 'PROCESSING' },
  { status: 'THAWING' },
  { status: 'ERROR' },
  { status: 'PROCESSING', online_status: 'OFFLINE' },
  { status: 'SUCCESS', online_status: 'LOADING' },
])('packages whose audience may yet be usable keep their status: %o', async (state) => {
  await users()
  await audiences.set(own, state)
  await audiences.set(granted, state)
  await checkCrowds(app)
  expect(await lost()).toEqual([])
})
