import { afterEach, expect, test, vi } from 'vitest'
import { FAULTS, type Fault } from '#contract/errors.ts'
import { storeRule } from '#contract/rule-crowd.ts'
import { call, isFault } from '../../../lib/call.ts'
import { draftOf } from './draft.ts'

afterEach(() => vi.unstubAllGlobals())

const RULE = { id: 'n1', op: '并', subTags: [], exps: [] } as never

/** A server whose drafts are numbered from 101; storing in one of `refused` is refused. */
function server(refused: Record<number, Fault>) {
  const calls: string[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const body = JSON.parse(String(init.body)) as { from?: number }
    calls.push(`${init.method} ${url}${body.from === undefined ? '' : ` from ${body.from}`}`)
    const fault = refused[Number(url.split('/').at(-1))]
    if (fault) return Response.json({ code: FAULTS[fault].code, msg: fault, data: null }, { status: 409 })
    const opened = calls.filter((one) => one.startsWith('POST')).length
    return Response.json({ code: 0, msg: 'OK', data: init.method === 'POST' ? { rId: 100 + opened } : {} })
  })
  return calls
}

const store = (rId: number) => call(storeRule, { params: { rId }, body: { advId: 1, rule: RULE } }).then(() => rId)

test.each(['ruleHasCrowd', 'ruleTaken', 'notFound'] as const)(
  'a draft refused by %s is replaced by a new empty one',
  async (fault) => {
    const calls = server({ 101: fault })
    const opened: number[] = []
    const draft = draftOf(1, 7, null, (rId) => opened.push(rId))
    expect(await draft.use(store)).toBe(102)
    expect(opened).toEqual([101, 102])
    expect(calls.filter((one) => one.startsWith('POST')).map((one) => one.includes('from 7'))).toEqual([true, false])
  },
)

test('a draft kept over a reload whose crowd was saved is replaced', async () => {
  server({ 55: 'ruleHasCrowd' })
  const draft = draftOf(1, null, 55, () => {})
  expect(await draft.use(store)).toBe(101)
})

test('any other refusal is thrown and keeps the draft', async () => {
  server({ 55: 'nameTaken' })
  const opened: number[] = []
  const draft = draftOf(1, null, 55, (rId) => opened.push(rId))
  expect(await draft.use(store).catch((error: unknown) => isFault(error, 'nameTaken'))).toBe(true)
  expect(opened).toEqual([])
})
