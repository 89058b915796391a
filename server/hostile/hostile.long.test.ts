import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCustomCrowd, listCrowdFiles, malformedPath } from '#contract/custom-crowd.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { FAULTS } from '#contract/errors.ts'
import { getImport, refusedRowsPath, startImport } from '#contract/import.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { sentenceOf } from '#contract/outcome.ts'
import { aCrowd, anAdvertiser, aTag, leaf, tagged } from '../testing/builders.ts'
import { uploaded } from '../testing/custom-crowds.ts'
import { testApp } from '../testing/test-app.ts'
import { uploadTo } from '../testing/upload.ts'
import { hostileCalls } from './calls.ts'
import { AMONG_EMPTY_LINES, EMPTY_LINES, hostileIdentifierFiles, hostileImportFiles } from './files.ts'
import { count, tally, tallyLine } from './tally.ts'

const app = await testApp()
afterAll(() => app.close())

/** Calls that would sign the caller out, or change who may call. */
const ENDS_THE_CALLER = new Set(['logout', 'changePassword', 'updateViewer', 'resetViewerPassword', 'endSession'])
const CHINESE = /[\u4e00-\u9fff]/

const totals = { calls: tally(), strangers: tally(), identifiers: tally(), imports: tally() }
let adv_id = 0
let known: Record<string, unknown> = {}
/** What a stranger must not read. */
const NAMES = { advertiser: '看不见的广告主', tag: '看不见的标签', crowd: '看不见的人群' }
beforeAll(async () => {
  adv_id = await anAdvertiser(app, NAMES.advertiser)
  const tag = await aTag(app, adv_id, [1, 2, 3], NAMES.tag)
  const { id, rId } = await aCrowd(app, adv_id, leaf('a', 'n', tagged(tag)), { name: NAMES.crowd })
  await app.settled()
  known = { adv_id, advId: adv_id, advertiser_id: adv_id, people_id: id, id, rId, cnt_type: 1, page: 1, page_size: 10 }
})
afterAll(() => {
  for (const [what, of] of Object.entries(totals)) console.log(tallyLine(what, of))
})

async function answerOf(
  { method, url, body, what, mustBeRefused = false }: ReturnType<typeof hostileCalls>[number],
  cookie: string,
  hidden: readonly string[] = [],
): Promise<'refused' | 'accepted' | { other: string }> {
  const { statusCode, body: text } = await app.app.inject({
    method,
    url,
    headers: {
      cookie,
      'sec-fetch-site': 'same-origin',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: body }),
  })
  const other = { other: `${method} ${url.slice(0, 120)} (${what}): ${statusCode} ${text.slice(0, 200)}` }
  let answer: { code?: number; msg?: string; outcome?: { code?: string } }
  try {
    answer = JSON.parse(text)
  } catch {
    return other
  }
  if (hidden.some((name) => text.includes(name))) return other
  if (statusCode === 200 && answer.code === 0) return mustBeRefused ? other : 'accepted'
  const isClear = CHINESE.test(answer.msg ?? '') && typeof answer.outcome?.code === 'string'
  return isClear && answer.code !== FAULTS.failed.code && answer.code !== FAULTS.signedOut.code ? 'refused' : other
}

const calls = Object.entries(ENDPOINTS).filter(([name]) => !ENDS_THE_CALLER.has(name))

test('every call refuses odd values with a sentence, or takes them rightly', { timeout: 600_000 }, async () => {
  for (const [, endpoint] of calls)
    for (const call of hostileCalls(endpoint, known)) count(totals.calls, await answerOf(call, app.admin.cookie))
  expect(totals.calls.others).toEqual([])
  expect(totals.calls.refused).toBeGreaterThan(2000)
})

test('a stranger’s odd values are refused too, and show nothing', { timeout: 600_000 }, async () => {
  const stranger = await app.viewer('stranger', [])
  for (const [, endpoint] of calls.filter(([, { access }]: [string, Endpoint]) => access !== 'public'))
    for (const call of hostileCalls(endpoint, known).slice(0, 3))
      count(totals.strangers, await answerOf(call, stranger.cookie, Object.values(NAMES)))
  expect(totals.strangers.others).toEqual([])
})

test('every identifier file ends in a report that adds up, or in a sentence', { timeout: 600_000 }, async () => {
  const bodies: object[] = []
  for (const given of await hostileIdentifierFiles()) {
    const file = await uploaded(app, app.admin, [given]).catch((error: Error) => error)
    if (!(file instanceof Error)) bodies.push(...file)
    else count(totals.identifiers, CHINESE.test(error(file)) ? 'refused' : { other: `${given.name}: ${file.message}` })
  }
  const body = { name: '人群', dir_id: 1, user_id_type: 'HASH_IMEI' as const, adv_id, files: bodies as never }
  const { id } = await app.admin.get(addCustomCrowd, { body })
  await app.settled()
  const { files } = await app.admin.get(listCrowdFiles, { query: { id, page_size: 100 } })
  expect(files).toHaveLength(bodies.length)
  for (const {
    name,
    status,
    error: why,
    error_outcome,
    line_count,
    valid_count,
    duplicate,
    malformed,
    reasons,
  } of files) {
    const sums = line_count === (valid_count ?? 0) + (duplicate ?? 0) + (malformed ?? 0)
    const isClosed = sums && malformed === reasons.reduce((sum, { lines }) => sum + lines, 0)
    if (status === 'failed' && error_outcome && sentenceOf(error_outcome) === why) count(totals.identifiers, 'refused')
    else if (status === 'done' && isClosed) count(totals.identifiers, 'accepted')
    else count(totals.identifiers, { other: `${name}: ${status} ${why}` })
  }
  expect(totals.identifiers.others).toEqual([])

  const empty = files.find(({ name }) => name.startsWith('空行.zip'))
  expect(empty).toMatchObject({ status: 'done', malformed: EMPTY_LINES, valid_count: AMONG_EMPTY_LINES })
  expect(empty?.reasons).toMatchObject([{ lines: EMPTY_LINES, listed: 0 }])

  const formulas = files.find(({ name }) => name === 'formulas.csv')
  const { body: csv } = await app.app.inject({
    url: malformedPath(formulas?.id ?? 0),
    headers: { cookie: app.admin.cookie },
  })
  expect(csv.split('\n').filter((line) => /,[=+\-@＝]/.test(line))).toEqual([])
  expect(csv).toContain("'@SUM(A1)")
})

test('every import ends in a report that adds up, or in a sentence', { timeout: 600_000 }, async () => {
  const begun = new Map<string, number>()
  for (const { name, content } of hostileImportFiles()) {
    const upload_id = await uploadTo(app, app.admin, content, name)
    const mapping = { kind: 'users' as const, id: 'id' }
    const answer = await app.admin.call(startImport, { body: { adv_id, upload_id, mapping } })
    const isClear = answer.code !== FAULTS.failed.code && CHINESE.test(answer.msg)
    if (answer.code === 0) begun.set(name, answer.data.id)
    else count(totals.imports, isClear ? 'refused' : { other: `${name}: ${answer.status} ${answer.msg}` })
  }
  await app.settled()
  for (const [name, id] of begun) {
    const row = await app.admin.get(getImport, { params: { id } })
    const { rows, refused, duplicate, stored } = row.report ?? {}
    const isClosed = rows === (stored ?? 0) + (refused ?? 0) + (duplicate ?? 0)
    if (row.status === 'failed' && CHINESE.test(row.error ?? '')) count(totals.imports, 'refused')
    else if (row.status === 'done' && isClosed) count(totals.imports, 'accepted')
    else count(totals.imports, { other: `${name}: ${JSON.stringify(row).slice(0, 500)}` })
  }
  expect(totals.imports.others).toEqual([])

  // The engine reads the deep value as a text.
  const deep = await app.admin.get(getImport, { params: { id: begun.get('deep.ndjson') ?? 0 } })
  expect(deep.report).toMatchObject({ rows: 3, stored: 3 })

  const { body } = await app.app.inject({
    url: refusedRowsPath(begun.get('formulas.csv') ?? 0),
    headers: { cookie: app.admin.cookie },
  })
  expect(body).toContain("'=1+1")
  expect(body).toContain("'＋1")
})

const error = ({ message }: Error) => message
