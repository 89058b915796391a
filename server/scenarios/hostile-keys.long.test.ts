import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { listWriteKeys, revokeWriteKey, TRACKING_PATHS } from '#contract/tracking.ts'
import { BATCH_BYTES_MAX, type MessageKind } from '#contract/tracking-message.ts'
import { createToken } from '#contract/viewer.ts'
import { oddMessages } from '../hostile/messages.ts'
import { count, tally, tallyLine } from '../hostile/tally.ts'
import { anAdvertiser } from '../testing/builders.ts'
import { testApp } from '../testing/test-app.ts'
import { aWriteKey, countedEvents, people, type TrackAnswer, track } from '../testing/tracking.ts'

vi.setConfig({ testTimeout: 600_000 })
const app = await testApp()
afterAll(() => app.close())

const PATHS = Object.entries(TRACKING_PATHS) as [string, MessageKind | null][]
const CHINESE = /[\u4e00-\u9fff]/
let adv_id: number
let key: string
/** What calls bring that must be refused. */
const BAD: Record<string, string> = {}

beforeAll(async () => {
  adv_id = await anAdvertiser(app)
  key = await aWriteKey(app, adv_id)
  const revoked = await aWriteKey(app, adv_id)
  const { list } = await app.admin.get(listWriteKeys, { query: { adv_id } })
  await track(app, '/v1/track', revoked, { userId: 'u', event: '撤销前' })
  await app.admin.get(revokeWriteKey, { params: { id: list[1]?.id ?? 0 } })
  const { token } = await app.admin.get(createToken, { body: { name: '令牌' } })
  Object.assign(BAD, {
    'a revoked key': revoked,
    'no key': '',
    'an unknown key': `rqw_${'A'.repeat(32)}`,
    'a key with another end': `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`,
    'a key in capitals': key.toUpperCase(),
    'a key with a blank': `${key} `,
    'a long key': 'k'.repeat(5000),
    'a key that is no text': '\u0000\ud83d\ufffd%00',
    'a formula': "' OR 1=1 --",
    "a viewer's token": token,
  })
  await app.settled()
})

/** A message that fits the path. */
const fitting = (kind: MessageKind | null, userId = 'u1') => {
  const message = { type: kind ?? 'track', userId, event: '好的', groupId: 'g', previousId: 'u0' }
  return kind === null ? { batch: [message] } : message
}
const stored = async () => {
  const rows = await app.stores.warehouse.live.acrossShards.query<{ n: number }>(
    'SELECT count() AS n FROM track_message',
  )
  return rows[0]?.n ?? 0
}
const isRefusedClearly = ({ code, msg }: TrackAnswer) => code !== 0 && code !== FAULTS.failed.code && CHINESE.test(msg)

test.each(PATHS)(
  '%s refuses every key that is none, in the header and in the body, and stores nothing',
  async (url, kind) => {
    const before = await stored()
    for (const [what, bad] of Object.entries(BAD)) {
      const answers = [
        await track(app, url, bad, fitting(kind)),
        await track(app, url, null, { ...fitting(kind), writeKey: bad }),
        // A good key in the body does not help a bad one in the header.
        ...(bad === '' ? [] : [await track(app, url, bad, { ...fitting(kind), writeKey: key })]),
      ]
      for (const answer of answers)
        expect([what, answer.status, answer.code]).toEqual([what, 401, FAULTS.writeKeyInvalid.code])
    }
    for (const odd of ['1', 'null', 'true', '{}', `[${JSON.stringify(key)}]`])
      expect((await track(app, url, null, `{"writeKey":${odd}}`)).status).toBe(401)
    expect(await stored()).toBe(before)
  },
)

test('the settings of a page are answered to no other key', async () => {
  for (const [what, bad] of Object.entries(BAD)) {
    if (bad === '') continue
    const url = `/v1/projects/${encodeURIComponent(bad.toWellFormed())}/settings`
    expect([what, (await app.app.inject({ url })).statusCode]).toEqual([
      what,
      expect.toSatisfy((s) => s >= 400 && s < 500),
    ])
  }
})

test.each(PATHS)(
  '%s brings what a key sends to its own advertiser alone, whatever the body names',
  async (url, kind) => {
    const other = await anAdvertiser(app)
    const others = await aWriteKey(app, other)
    const [before, mine] = [await people(app, adv_id), await countedEvents(app, adv_id)]
    const named = { adv_id, advId: adv_id, key_id: 1, writeKey: key, projectId: key }
    const body = { ...fitting(kind, 'stranger'), ...named }
    expect(await track(app, url, others, body)).toMatchObject({ status: 200 })
    await app.settled()
    expect(await people(app, adv_id)).toEqual(before)
    expect(await countedEvents(app, adv_id)).toEqual(mine)
  },
)

const DEEP = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
test.each(PATHS)('%s refuses bodies that are too large, too deep or no JSON, with a sentence', async (url, kind) => {
  const before = await stored()
  const large = { ...fitting(kind), more: 'x'.repeat(BATCH_BYTES_MAX) }
  expect(await track(app, url, key, large)).toMatchObject({ status: 413 })
  for (const body of ['', '{', '[]', 'null', '"x"', '1', DEEP, `{"batch":${DEEP}}`, '{"batch":{}}', '\u0000']) {
    const answer = await track(app, url, key, body)
    const [only] = answer.data?.refused ?? []
    // In a batch a message that is too deep is refused alone.
    if (answer.status === 200) expect([kind, only?.outcome.code]).toEqual([null, expect.any(String)])
    else expect([body.slice(0, 10), answer.status, isRefusedClearly(answer)]).toEqual([body.slice(0, 10), 400, true])
  }
  const deep = JSON.stringify(fitting(kind)).replace('"u1"', `"u1","properties":{"a":${DEEP}}`)
  const answer = await track(app, url, key, deep)
  if (kind === null)
    expect(answer.data).toMatchObject({ accepted: 0, refused: [{ outcome: { code: 'input_too_deep' } }] })
  else expect(answer).toMatchObject({ status: 400, outcome: { code: 'input_too_deep' } })
  expect(await stored()).toBe(before)
})

/** Does what is to be done for each, several at a time: calls that wait are stored together. */
async function forEach<T>(all: readonly T[], work: (one: T, no: number) => Promise<void>): Promise<void> {
  const atOnce = 25
  for (let at = 0; at < all.length; at += atOnce)
    await Promise.all(all.slice(at, at + atOnce).map((one, no) => work(one, at + no)))
}

test('an odd value is refused with its reason or counted, and never takes down the others of its batch', async () => {
  const totals = tally()
  const logged = vi.spyOn(console, 'error')
  const all = oddMessages()
  await forEach(all, async ({ what, messages }, no) => {
    const good = `{"type":"track","userId":"good${no % 10}","event":"好的","messageId":"good${no}"}`
    const batch = [...messages.slice(0, 3), good, ...messages.slice(3)]
    const answer = await track(app, '/v1/batch', key, `{"batch":[${batch}]}`)
    const { accepted = 0, refused = [] } = answer.data ?? {}
    const areAll = answer.status === 200 && accepted + refused.length === batch.length
    const areSaid = refused.every(({ index, reason, outcome }) => index !== 3 && CHINESE.test(reason) && outcome.code)
    const other = `${what}: ${answer.status} ${answer.msg} ${JSON.stringify(refused)}`
    count(totals, areAll && areSaid ? 'accepted' : { other })
  })
  await app.settled()
  expect(totals.others).toEqual([])
  expect((await countedEvents(app, adv_id)).好的?.[1]).toBe(all.length)
  const { db } = app.stores.postgres
  const imports = await db.selectFrom('import').select(['status', 'error']).where('status', '!=', 'done').execute()
  expect(imports).toEqual([])
  expect(logged.mock.calls).toEqual([])
  logged.mockRestore()
  console.log(tallyLine('odd messages', totals))
})

test('an odd value in a call of its own is refused with a sentence or taken', async () => {
  const totals = tally()
  await forEach(oddMessages(), async ({ what, messages }, no) => {
    // Each kind in its turn; the first paths are those of the kinds.
    const kind = no % messages.length
    const [url] = PATHS[kind] ?? []
    const answer = await track(app, url ?? '', key, messages[kind])
    if (answer.status === 200) count(totals, 'accepted')
    else if (answer.status === 400 && isRefusedClearly(answer)) count(totals, 'refused')
    else count(totals, { other: `${url} ${what}: ${answer.status} ${answer.msg}` })
  })
  await app.settled()
  expect(totals.others).toEqual([])
  expect(totals.refused).toBeGreaterThan(50)
  console.log(tallyLine('odd calls', totals))
})
