import { expect, test, vi } from 'vitest'
import { createAdvertiser, listAdvertiserData } from '#contract/advertiser.ts'
import { forgetPerson, getForgetting } from '#contract/forgetting.ts'
import { getImport, type ImportMapping, startImport } from '#contract/import.ts'
import { listLinkUsers } from '#contract/link-user.ts'
import { startPush } from '#contract/push.ts'
import { ATTRIBUTE_TAG, getTagTree } from '#contract/tag.ts'
import { aCrowd, leaf, tagged } from '../testing/builders.ts'
import { consentTo } from '../testing/consent.ts'
import { aCustomCrowd } from '../testing/custom-crowds.ts'
import { EVENTS, oneIdOf, phoneOf, USERS, userLine, usersFile } from '../testing/forget-world.ts'
import { SOCIAL, VIDEO } from '../testing/platforms.ts'
import { md5, SANDBOX_ACCOUNTS, sandboxValues, sha256 } from '../testing/push.ts'
import { serverWithSandbox } from '../testing/server-with-sandbox.ts'
import { uploadTo } from '../testing/upload.ts'

const KILLS = 10
const PEOPLE = 2000
const PATIENCE_MS = 120_000

const { server, sandbox, call } = await serverWithSandbox(0.02)

const PLACES = [
  { platform: SOCIAL, name: 'social', external_id: SANDBOX_ACCOUNTS[1][0], type: 'HASH_MOBILE_PHONE', hash: md5 },
  { platform: VIDEO, name: 'video', external_id: SANDBOX_ACCOUNTS[2][0], type: 'SHA256_MOBILE_PHONE', hash: sha256 },
] as const

async function start(adv_id: number, text: string, mapping: ImportMapping) {
  const upload_id = await uploadTo(server, server.admin, text, 'rows.csv')
  return (await call(startImport, { body: { adv_id, upload_id, mapping } })).id
}
const startPeople = (adv_id: number, numbers: readonly number[]) =>
  start(adv_id, usersFile(numbers.map((no) => userLine(no))), USERS)
const startEvents = (adv_id: number, numbers: readonly number[]) => {
  const rows = numbers.map((no) => `${oneIdOf(no)},browse,2025-11-03T12:00:00+08:00`)
  return start(adv_id, `id,event,time\n${rows.join('\n')}\n`, EVENTS)
}
const all = Array.from({ length: PEOPLE }, (_, no) => no)

test('ten kills while people are forgotten and imported: each receipt is true, on both platforms too', {
  timeout: 900_000,
}, async () => {
  await sandbox.control('switches', { processing_seconds: 0.1, video_advertiser_qps: 0, video_application_qps: 0 })
  await server.start()
  const { id: adv_id } = await call(createAdvertiser, { body: { name: '断电' } })
  for (const { platform, external_id } of PLACES) {
    await consentTo(server, sandbox, { adv_id, platform, accounts: [external_id] })
  }
  await startPeople(adv_id, all)
  await server.settled()
  await startEvents(adv_id, all)
  const phones = all.map((no) => md5(phoneOf(no))).join('\n')
  const user_id_type = 'HASH_MOBILE_PHONE'
  await aCustomCrowd(server, adv_id, [{ name: 'a.txt', content: phones }], { user_id_type })
  await server.settled()
  const { data } = await call(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  const beijing = data.flatMap((category) => category.group ?? []).find(({ tag }) => tag === '北京')
  const crowd = await aCrowd(server as never, adv_id, leaf('a', 'n', tagged(beijing?.id ?? 0)))
  await server.settled()
  const { list } = await call(listAdvertiserData)
  const accounts = list.find((one) => one.id === adv_id)?.accounts ?? []
  for (const { platform, external_id, type } of PLACES) {
    const account = accounts.find((one) => one.external_id === external_id)?.id ?? 0
    await call(startPush, {
      params: { cnt_type: platform },
      body: { id: crowd.id, advertiser_id: account, kind: 'rule', types: [type], keeps_step: false },
    })
  }
  await server.settled()
  const held = async () =>
    Promise.all(
      PLACES.map(async ({ platform, name, external_id }) => {
        const found = await sandbox.control<{ id?: string; audience_id?: string }[]>(
          `audiences?platform=${name}&account_id=${external_id}`,
        )
        return sandboxValues(sandbox, platform, String(found[0]?.audience_id ?? found[0]?.id ?? ''))
      }),
    )
  const hashed = (numbers: readonly number[]) =>
    PLACES.map(({ hash }) => numbers.map((no) => hash(phoneOf(no))).toSorted())
  expect(await held()).toEqual(hashed(all))

  const forgotten: number[] = []
  const receipts: number[] = []
  /** Kills that fell while the person was being forgotten. */
  let within = 0
  for (let round = 0; round < KILLS; round++) {
    const before = await startPeople(adv_id, [round, PEOPLE + round])
    const doing = await startEvents(adv_id, [round, PEOPLE + round])
    const { id } = await call(forgetPerson, { body: { adv_id, oneID: oneIdOf(round), confirm: oneIdOf(round) } })
    const after = await startPeople(adv_id, [round, PEOPLE + KILLS + round])
    await new Promise((resolve) => setTimeout(resolve, (round * 211) % 1500))
    const { status } = await call(getForgetting, { params: { id } })
    if (status !== 'done') within++
    await server.kill()
    await server.start()
    forgotten.push(round)
    receipts.push(id)
    for (const one of [before, doing, after]) {
      await vi.waitFor(async () => expect((await call(getImport, { params: { id: one } })).status).toBe('done'), {
        timeout: PATIENCE_MS,
        interval: 300,
      })
      const { report } = await call(getImport, { params: { id: one } })
      expect((report?.stored ?? 0) + (report?.duplicate ?? 0) + (report?.refused ?? 0)).toBe(report?.rows)
    }
    await vi.waitFor(
      async () =>
        expect(await call(getForgetting, { params: { id } })).toMatchObject({
          status: 'done',
          accounts: 2,
          accepted: 2,
        }),
      { timeout: PATIENCE_MS, interval: 300 },
    )
  }
  expect(within).toBeGreaterThanOrEqual(KILLS / 2)
  await server.settled()

  const left = all.filter((no) => !forgotten.includes(no))
  expect(await held()).toEqual(hashed(left))
  for (const [at, id] of receipts.entries()) {
    const receipt = await call(getForgetting, { params: { id } })
    const found = Object.fromEntries(receipt.stores.map((one) => [one.store, one.found]))
    expect(found).toMatchObject({ crowds: expect.any(Number), uploaded: 1 })
    // Two where the import of their events came before.
    expect([1, 2]).toContain(found.events)
    // A row of the person, and their id; one row more where the earlier import came first.
    expect(found.people).toBeGreaterThanOrEqual(2)
    expect(found.identifiers).toBeGreaterThanOrEqual(5)
    expect(receipt.stores.filter(({ status, store }) => status !== 'done' && store !== 'uploads')).toEqual([])
    expect(receipt.platforms.map(({ count, status }) => [count, status])).toEqual([
      [1, 'accepted'],
      [1, 'accepted'],
    ])
    const no = forgotten[at] ?? -1
    expect((await call(listLinkUsers, { query: { adv_id, oneID: oneIdOf(no) } })).total).toBe(0)
  }
  const everyone = await call(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  const counts = everyone.data.flatMap((category) => category.group ?? []).map(({ tag, count }) => [tag, count])
  expect(new Map(counts as [string, number][]).get('全部用户')).toBe(left.length + 2 * KILLS)
})
