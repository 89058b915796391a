import { expect, test } from 'vitest'
import { createAdvertiser, listAdvertiserData } from '#contract/advertiser.ts'
import { setControlGroup } from '#contract/control-group.ts'
import { startImport } from '#contract/import.ts'
import { getPush, listPushes, startPush } from '#contract/push.ts'
import { computeRuleCrowd, getRuleCrowd } from '#contract/rule-crowd.ts'
import { ATTRIBUTE_TAG, getTagTree } from '#contract/tag.ts'
import { aCrowd, leaf, tagged } from '../testing/builders.ts'
import { consentTo } from '../testing/consent.ts'
import { phoneOf, USERS, userLine, usersFile } from '../testing/forget-world.ts'
import { SOCIAL } from '../testing/platforms.ts'
import { md5, SANDBOX_ACCOUNTS, sandboxValues } from '../testing/push.ts'
import { serverWithSandbox } from '../testing/server-with-sandbox.ts'
import { uploadTo } from '../testing/upload.ts'

const KILLS = 6
const PEOPLE = 1000
const MORE = 200
const SHARE = 30

const { server, sandbox, call } = await serverWithSandbox(0.02)

const external_id = SANDBOX_ACCOUNTS[1][0]
/** The values that the platform has of the crowd. */
async function there(): Promise<ReadonlySet<string>> {
  const [audience] = await sandbox.control<{ audience_id?: string; id?: string }[]>(
    `audiences?platform=social&account_id=${external_id}`,
  )
  return new Set(await sandboxValues(sandbox, SOCIAL, String(audience?.audience_id ?? audience?.id ?? '')))
}
const hashOf = (no: number) => md5(phoneOf(no))

test('kills while a crowd grows and is pushed never send anybody of its control group', {
  timeout: 600_000,
}, async () => {
  await sandbox.control('switches', { processing_seconds: 0.1 })
  await server.start()
  const { id: adv_id } = await call(createAdvertiser, { body: { name: '断电' } })
  await consentTo(server, sandbox, { adv_id, platform: SOCIAL, accounts: [external_id] })
  const bring = async (from: number, to: number) => {
    const lines = Array.from({ length: to - from }, (_, at) => userLine(from + at))
    const upload_id = await uploadTo(server, server.admin, usersFile(lines), 'people.csv')
    await call(startImport, { body: { adv_id, upload_id, mapping: USERS } })
    await server.settled()
  }
  await bring(0, PEOPLE)
  const { data } = await call(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  const beijing = data.flatMap((category) => category.group ?? []).find(({ tag }) => tag === '北京')
  const { id } = await aCrowd(server as never, adv_id, leaf('a', 'n', tagged(beijing?.id ?? 0)))
  await server.settled()
  await call(setControlGroup, { body: { kind: 'rule', id, share: SHARE } })
  const { list } = await call(listAdvertiserData)
  const account =
    list.find((one) => one.id === adv_id)?.accounts.find((one) => one.external_id === external_id)?.id ?? 0
  const push = () =>
    call(startPush, {
      params: { cnt_type: SOCIAL },
      body: { id, advertiser_id: account, kind: 'rule', types: ['HASH_MOBILE_PHONE'], keeps_step: false },
    })
  await push()
  await server.settled()

  let people = PEOPLE
  /** Whether each person of a finished push was sent. */
  const sent = new Map<number, boolean>()
  for (let round = 0; round < KILLS; round++) {
    const values = await there()
    for (let no = 0; no < people; no++) {
      const isThere = values.has(hashOf(no))
      expect(isThere, `person ${no} in round ${round}`).toBe(sent.get(no) ?? isThere)
      sent.set(no, isThere)
    }
    await bring(people, people + MORE)
    people += MORE
    await call(computeRuleCrowd, { params: { id } })
    await server.settled()
    expect((await call(getRuleCrowd, { params: { id } })).magnitude).toBe(people)
    await push()
    await new Promise((resolve) => setTimeout(resolve, (round * 137) % 700))
    await server.kill()
    const meanwhile = await there()
    for (const [no, wasSent] of sent) if (!wasSent) expect(meanwhile.has(hashOf(no))).toBe(false)
    await server.start()
    await server.settled()
  }
  const values = await there()
  const held = Array.from({ length: people }, (_, no) => no).filter((no) => !values.has(hashOf(no)))
  expect(Math.abs(held.length - people * (SHARE / 100))).toBeLessThan(100)
  for (const [no, wasSent] of sent) expect(values.has(hashOf(no))).toBe(wasSent)
  const { list: pushes } = await call(listPushes, { query: { kind: 'rule', id, page_size: 50 } })
  for (const one of pushes) {
    const { push: record } = await call(getPush, { params: { id: one.id } })
    expect(record).toMatchObject({ status: 'done', waiting: 0 })
    expect(record.sent + record.held_out).toBe(record.total)
  }
  expect(pushes[0]).toMatchObject({ total: people, held_out: held.length, sent: values.size })
})
