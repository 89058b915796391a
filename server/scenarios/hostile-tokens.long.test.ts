import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { FAULTS } from '#contract/errors.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { createToken, deleteToken, listViewers, updateViewer } from '#contract/viewer.ts'
import { hostileCalls } from '../hostile/calls.ts'
import { aCrowd, anAdvertiser, aTag, leaf, tagged } from '../testing/builders.ts'
import type { Caller } from '../testing/caller.ts'
import { testApp } from '../testing/test-app.ts'
import { aWriteKey } from '../testing/tracking.ts'

vi.setConfig({ testTimeout: 300_000 })
const app = await testApp()
afterAll(() => app.close())

const HIDDEN = '看不见的'
/** The contract's calls that are served under /v1 too. */
const CALLS = Object.entries(ENDPOINTS).filter(([, { path }]) => path.startsWith('/api/v1/'))
const PRIVATE = CALLS.filter(([, { access }]) => access !== 'public')
/** Without a bearer token a call that changes something is taken for one of another site's page. */
const CLOSED = new Set<number>([FAULTS.signedOut.code, FAULTS.tokenInvalid.code, FAULTS.foreignOrigin.code])
/** Callers that no call takes, by what they send. */
const nobodies: Record<string, string> = {}
const tokens = { stranger: '', reader: '' }
let known: Record<string, unknown> = {}
let adv_id: number

const tokenOf = (caller: Caller) => caller.get(createToken, { body: { name: '令牌' } })

beforeAll(async () => {
  adv_id = await anAdvertiser(app, `${HIDDEN}广告主`)
  const tag = await aTag(app, adv_id, [1, 2, 3], `${HIDDEN}标签`)
  const { id, rId } = await aCrowd(app, adv_id, leaf('a', 'n', tagged(tag)), { name: `${HIDDEN}人群` })
  known = { adv_id, advId: adv_id, advertiser_id: adv_id, people_id: id, id, rId, cnt_type: 1, page: 1, page_size: 10 }
  const reader = await app.viewer('reader', [adv_id])
  const { list } = await app.admin.get(listViewers)
  const ofReader = list.find(({ username }) => username === 'reader')?.id ?? 0
  await app.admin.get(updateViewer, { params: { id: ofReader }, body: { read_only_adv_ids: [adv_id] } })
  tokens.reader = (await tokenOf(reader)).token
  tokens.stranger = (await tokenOf(await app.viewer('stranger', [await anAdvertiser(app)]))).token

  const [revoked, expired] = [await tokenOf(app.admin), await tokenOf(app.admin)]
  await app.admin.get(deleteToken, { params: { id: revoked.id } })
  const { db } = app.stores.postgres
  await db.updateTable('api_token').set({ expires_at: 1 }).where('id', '=', expired.id).execute()
  const key = await aWriteKey(app, adv_id)
  Object.assign(nobodies, {
    'a revoked token': `Bearer ${revoked.token}`,
    'an expired token': `Bearer ${expired.token}`,
    'a write key': `Bearer ${key}`,
    'a write key as the tracking calls take it': `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
    'no token': 'Bearer ',
    'another scheme': `Token ${tokens.reader}`,
    'a token without its end': `Bearer ${tokens.reader.slice(0, -1)}`,
    'a token in capitals': `Bearer ${tokens.reader.toUpperCase()}`,
    'a long token': `Bearer ${'x'.repeat(5000)}`,
    'what is no text': 'Bearer \u00ff\u00fe',
    'a formula': "Bearer ' OR 1=1 --",
  })
  await app.settled()
})

interface Told {
  status: number
  text: string
  code?: number
  msg?: string
}

async function ask(endpoint: Endpoint, authorization: string, change: Partial<{ body: string }> = {}): Promise<Told> {
  const [call] = hostileCalls(endpoint, known)
  if (!call) throw new Error('each endpoint has a call')
  const body = change.body ?? call.body
  const answer = await app.app.inject({
    method: call.method,
    url: call.url.replace('/api/v1/', '/v1/'),
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { payload: body }),
  })
  let json: { code?: number; msg?: string } = {}
  try {
    json = answer.json()
  } catch {
    // A download is no JSON.
  }
  return { status: answer.statusCode, text: answer.body, ...json }
}

/** What these viewers changed of the advertiser: every change is audited. */
async function changesBy(username: string) {
  const { rows } = await sql<{ action: string }>`
    select action from audit join viewer on viewer.id = audit.viewer_id
    where username = ${username} and (detail->>'adv_id')::int = ${adv_id}`.execute(app.stores.postgres.db)
  return rows.map(({ action }) => action)
}

test('there are such calls', () => expect(CALLS.length).toBeGreaterThan(50))

test.each(PRIVATE)('%s is closed to every token that is none', async (_, endpoint) => {
  for (const [what, authorization] of Object.entries(nobodies)) {
    const { status, code, text } = await ask(endpoint, authorization)
    expect([what, status, CLOSED.has(code ?? 0)]).toEqual([what, expect.toSatisfy((s) => s === 401 || s === 403), true])
    expect(text).not.toContain(HIDDEN)
  }
})

test.each(PRIVATE)('%s tells and changes nothing for the token of another advertiser', async (_, endpoint) => {
  const { status, text } = await ask(endpoint, `Bearer ${tokens.stranger}`)
  expect(status).toBeLessThan(500)
  expect(text).not.toContain(HIDDEN)
  expect(await changesBy('stranger')).toEqual([])
})

test.each(PRIVATE)('%s changes nothing for a token that may only read', async (_, endpoint) => {
  const { status } = await ask(endpoint, `Bearer ${tokens.reader}`)
  expect(status).toBeLessThan(500)
  expect(await changesBy('reader')).toEqual([])
})

const DEEP = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
test.each(PRIVATE.filter(([, { body }]) => body))(
  '%s refuses bodies that are too large, too deep or no JSON, with a sentence',
  async (_, endpoint) => {
    for (const body of ['{', '', DEEP, `{"a":${DEEP}}`, '"x"', JSON.stringify({ a: 'x'.repeat(40 * 1024 * 1024) })]) {
      const { status, msg } = await ask(endpoint, `Bearer ${tokens.reader}`, { body })
      expect([body.slice(0, 8), status]).toEqual([body.slice(0, 8), expect.toSatisfy((s) => s >= 400 && s < 500)])
      expect(msg).toMatch(/[\u4e00-\u9fff]/)
    }
  },
)
