import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { FAULTS } from '#contract/errors.ts'
import { call } from '../lib/call.ts'
import { queryOf } from '../lib/query.ts'
import { createQueryClient } from './query-client.ts'

const shared = { group: 'test', summary: 'test', data: z.object({ n: z.number() }) }
const read = endpoint({ ...shared, method: 'GET', path: '/api/thing' })
const readOther = endpoint({ ...shared, method: 'GET', path: '/api/other' })
const issue = endpoint({ ...shared, method: 'GET', path: '/api/token', changes: true })
const count = endpoint({ ...shared, method: 'POST', path: '/api/count', body: z.object({}) })
const rename = endpoint({ ...shared, method: 'PUT', path: '/api/thing', body: z.object({}) })

type Answer = { status: number; body: unknown } | 'unreached'
const success: Answer = { status: 200, body: { code: 0, msg: 'OK', data: { n: 7 } } }
const refused = (fault: keyof typeof FAULTS): Answer => {
  const { status, code, msg } = FAULTS[fault]
  return { status, body: { code, msg, data: null } }
}
const away = refused('databaseAway')

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Answers in this order, and with the last one from then on. */
function answering(...answers: Answer[]) {
  const fetched = vi.fn(async () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (!answer || answer === 'unreached') throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify(answer.body), { status: answer.status })
  })
  vi.stubGlobal('fetch', fetched)
  return fetched
}

function aClient() {
  const announced: string[] = []
  return { announced, client: createQueryClient({ announce: (msg) => announced.push(msg), onSignedOut: () => {} }) }
}

/** The result, after all timers have run. */
async function ended(work: Promise<unknown>): Promise<unknown> {
  const result = work.then(
    () => 'success',
    (error: Error) => error.message,
  )
  await vi.runAllTimersAsync()
  return result
}

test.each([
  ['the database is away', away],
  ['the server is not reached', 'unreached'],
  ['a gateway has no server', { status: 502, body: 'no' }],
] as const)('a GET is retried a few times while %s', async (_, outage) => {
  const fetched = answering(outage, outage, success)
  expect(await ended(aClient().client.fetchQuery(queryOf(read)))).toBe('success')
  expect(fetched).toHaveBeenCalledTimes(3)
})

test('a GET is given up after a few retries', async () => {
  const fetched = answering(away)
  expect(await ended(aClient().client.fetchQuery(queryOf(read)))).toBe(FAULTS.databaseAway.msg)
  expect(fetched).toHaveBeenCalledTimes(4)
})

test.each(['failed', 'countTimedOut', 'notFound'] as const)('a GET answered with %s is not retried', async (fault) => {
  const fetched = answering(refused(fault))
  await ended(aClient().client.fetchQuery(queryOf(read)))
  expect(fetched).toHaveBeenCalledTimes(1)
})

test.each([away, 'unreached'] as const)(
  'other calls are not retried: the first may have been carried out',
  async (outage) => {
    const { client } = aClient()
    const fetched = answering(outage)
    await ended(client.fetchQuery(queryOf(count, { body: {} })))
    await ended(client.fetchQuery(queryOf(issue)))
    expect(fetched).toHaveBeenCalledTimes(2)
    const saving = client.getMutationCache().build(client, { mutationFn: () => call(rename, { body: {} }) })
    await ended(saving.execute(undefined))
    expect(fetched).toHaveBeenCalledTimes(3)
  },
)

test('an outage is announced once for all queries, and again only after a query was answered', async () => {
  const { client, announced } = aClient()
  answering(away)
  await Promise.all([ended(client.fetchQuery(queryOf(read))), ended(client.fetchQuery(queryOf(readOther)))])
  await ended(client.fetchQuery(queryOf(read)))
  expect(announced).toEqual([FAULTS.databaseAway.msg])
  answering(success)
  await ended(client.fetchQuery(queryOf(read)))
  answering(away)
  await ended(client.fetchQuery(queryOf(readOther)))
  expect(announced).toHaveLength(2)
})

/** What is logged instead of being announced. */
function logged() {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warned.mockRestore())
  return () => warned.mock.calls.map(([said]) => said)
}
const LOGGED = '[renqun] GET /api/thing'

test.each([
  [true, ['not announced', 'announced']],
  ['always', ['not announced', 'not announced']],
] as const)(
  'a failure that the page shows in place (%s) is logged instead of being announced: at first, and of a refetch: %j',
  async (inPlace, [first, refetch]) => {
    const said = logged()
    const { client, announced } = aClient()
    const shown = new QueryObserver(client, { ...queryOf(read), meta: { inPlace } })
    const stop = shown.subscribe(() => {})
    const told = (result: string) => (result === 'announced' ? [FAULTS.failed.msg] : [])
    answering(refused('failed'))
    await ended(shown.refetch({ throwOnError: true }))
    expect(announced.splice(0)).toEqual(told(first))
    expect(said()).toEqual([LOGGED])
    answering(success)
    await ended(shown.refetch())
    answering(refused('failed'))
    await ended(shown.refetch())
    expect(announced).toEqual(told(refetch))
    expect(said()).toHaveLength(refetch === 'announced' ? 1 : 2)
    expect(shown.getCurrentResult().data).toEqual({ n: 7 })
    stop()
  },
)

test('each failure that is shown in place is logged, those of one outage too', async () => {
  const said = logged()
  const { client } = aClient()
  const shown = new QueryObserver(client, { ...queryOf(read), meta: { inPlace: 'always' } })
  const stop = shown.subscribe(() => {})
  answering(away)
  await ended(shown.refetch())
  await ended(shown.refetch())
  expect(said()).toEqual([LOGGED, LOGGED])
  stop()
})

test('a failure that each poll repeats is announced once, and again only after an answer', async () => {
  const { client, announced } = aClient()
  const polled = new QueryObserver(client, { ...queryOf(read), refetchInterval: 1_000 })
  answering(success)
  const stop = polled.subscribe(() => {})
  await vi.runAllTimersAsync()
  const poll = () => ended(polled.refetch({ throwOnError: true }))
  answering(refused('failed'))
  for (let times = 0; times < 3; times++) expect(await poll()).toBe(FAULTS.failed.msg)
  expect(announced).toEqual([FAULTS.failed.msg])
  answering(success)
  expect(await poll()).toBe('success')
  answering(refused('failed'))
  for (let times = 0; times < 2; times++) expect(await poll()).toBe(FAULTS.failed.msg)
  expect(announced).toHaveLength(2)
  stop()
})

test('a failure without words is announced all the same', async () => {
  const { client, announced } = aClient()
  answering({ status: 409, body: { code: 5, msg: '', data: null } })
  await ended(client.fetchQuery(queryOf(read)))
  const saving = client.getMutationCache().build(client, { mutationFn: () => call(rename, { body: {} }) })
  await ended(saving.execute(undefined))
  expect(announced).toEqual(['请求失败', '操作失败'])
})

test('a failure of a silent query is not announced', async () => {
  const { client, announced } = aClient()
  answering(refused('failed'))
  await ended(client.fetchQuery({ ...queryOf(read), meta: { silent: 'caller' } }))
  expect(announced).toEqual([])
})

test.each([
  ['optional', 1],
  ['polled', 0],
  ['caller', 0],
] as const)('a silent failure that is %s is logged %d times', async (silent, times) => {
  const said = logged()
  const { client, announced } = aClient()
  answering(refused('failed'))
  await ended(client.fetchQuery({ ...queryOf(read), meta: { silent } }))
  expect(said()).toEqual(Array(times).fill(LOGGED))
  expect(announced).toEqual([])
})

test('a failure is not announced while one of several parts of the page shows it', async () => {
  const { client, announced } = aClient()
  answering(refused('failed'))
  const shown = new QueryObserver(client, { ...queryOf(read), meta: { inPlace: true } })
  const other = new QueryObserver(client, queryOf(read))
  const stops = [shown.subscribe(() => {}), other.subscribe(() => {})]
  await ended(other.refetch())
  expect(announced).toEqual([])
  for (const stop of stops) stop()
})
