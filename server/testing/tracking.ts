import { vi } from 'vitest'
import { makeWriteKey } from '#contract/tracking.ts'
import type { WriteKeyKind } from '#contract/tracking-message.ts'
import type { TestApp } from './test-app.ts'

/** A new write key of the advertiser. */
export const aWriteKey = async (app: TestApp, adv_id: number, kind: WriteKeyKind = 'server'): Promise<string> =>
  (await app.admin.get(makeWriteKey, { body: { adv_id, kind, name: '测试' } })).key

export interface TrackAnswer {
  status: number
  retryAfter: string | undefined
  headers: Record<string, unknown>
  code: number
  msg: string
  data: {
    accepted: number
    refused: { index: number; message_id: string; reason: string; outcome: { code: string } }[]
  }
}

/** Makes a tracking call as a sender elsewhere does. */
export async function track(
  app: TestApp,
  url: string,
  key: string | null,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<TrackAnswer> {
  const answer = await app.app.inject({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      origin: 'https://shop.example.com',
      'sec-fetch-site': 'cross-site',
      ...(key === null ? {} : { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }),
      ...headers,
    },
    payload: Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body),
  })
  const retryAfter = answer.headers['retry-after']
  return {
    status: answer.statusCode,
    retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
    headers: answer.headers,
    ...(answer.json() as Pick<TrackAnswer, 'code' | 'msg' | 'data'>),
  }
}

/** The number of people with each event, and of its events, as everything that counts reads them. */
export async function countedEvents(
  app: TestApp,
  adv_id: number,
): Promise<Record<string, [people: number, events: number]>> {
  const { acrossShards } = app.stores.warehouse.live
  const rows = await acrossShards.query<{ name: string; people: number; events: number }>(
    `SELECT name, uniqExact(uid) AS people, count() AS events FROM event WHERE adv_id = {adv_id:UInt32} GROUP BY name ORDER BY name`,
    { adv_id },
  )
  const days = await acrossShards.query<{ name: string; people: number; events: number }>(
    `SELECT name, uniqExact(uid) AS people, sum(n) AS events FROM event_day WHERE adv_id = {adv_id:UInt32} GROUP BY name ORDER BY name`,
    { adv_id },
  )
  if (JSON.stringify(rows) !== JSON.stringify(days))
    throw new Error(`events ${JSON.stringify(rows)}, their days ${JSON.stringify(days)}`)
  return Object.fromEntries(rows.map(({ name, people, events }) => [name, [people, events]]))
}

/** Who exists, with the events and the newest value of an attribute of each. */
export async function people(app: TestApp, adv_id: number): Promise<Record<string, string[]>> {
  const rows = await app.stores.warehouse.live.acrossShards.query<{ one_id: string; events: string[] }>(
    `SELECT one_id, arraySort(groupArrayIf(name, name != '')) AS events FROM person_key AS k
     LEFT JOIN (SELECT uid, name FROM event WHERE adv_id = {adv_id:UInt32}) AS e USING (uid)
     WHERE adv_id = {adv_id:UInt32} GROUP BY one_id ORDER BY one_id`,
    { adv_id },
  )
  return Object.fromEntries(rows.map(({ one_id, events }) => [one_id, events]))
}

/** Makes one statement of the loads fail once, before or after it takes effect, as if the process had been killed there. */
export function failOnce(app: TestApp, statement: RegExp, when: 'before' | 'after'): () => boolean {
  const { load } = app.stores.warehouse
  let hasFailed = false
  for (const engine of [load.acrossShards, load.everyShard, load.oneNode]) {
    const command = engine.command.bind(engine)
    vi.spyOn(engine, 'command').mockImplementation(async (sql, ...rest) => {
      const fails = !hasFailed && statement.test(sql)
      if (fails) hasFailed = true
      if (!fails || when === 'after') await command(sql, ...rest)
      if (fails) throw new Error('killed')
    })
  }
  return () => hasFailed
}
