// After an import, how long until every rule crowd that uses the new data is recomputed, and how long a person waits
// meanwhile for a crowd that is saved, or recomputed by a click.
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { ImportMapping } from '#contract/import.ts'
import { openConsole } from './console.ts'
import { percentile, randomBelow } from './measure.ts'

const { values: given } = parseArgs({
  options: {
    people: { type: 'string', default: '10000000' },
    crowds: { type: 'string', default: '900' },
    /** Tags of each crowd. */
    tags: { type: 'string', default: '10' },
    /** Seconds after which the benchmark gives up. */
    limit: { type: 'string', default: '900' },
  },
})
const people = Number(given.people)
const crowds = Number(given.crowds)
const tagsOfACrowd = Number(given.tags)
const POLL_MS = 50
/** The first import makes the tags from so many people. */
const FIRST_PEOPLE = 100_000

const { warehouse, postgres, services, origin, cookie, dataDir, close } = await openConsole({ PEOPLE_QUOTA: '2000' })
const { db } = postgres
const random = randomBelow(20_261_123)

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: { cookie, 'sec-fetch-site': 'same-origin', ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: T }
  if (code !== 0) throw new Error(`${method} ${path}: ${msg}`)
  return data
}

const pick = (salt: number, values: string[]) =>
  `[${values.map((value) => `'${value}'`).join(', ')}][1 + cityHash64(number, ${salt}) % ${values.length}]`
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at + 1}`)
const COLUMNS: Record<string, string> = {
  user_id: `concat('u', leftPad(toString(number), 9, '0'))`,
  gender: pick(1, ['男', '女', '']),
  city_level: pick(2, ['一线', '新一线', '二线', '三线', '四线', '五线']),
  province: pick(3, numbered('省', 34)),
  channel: pick(4, ['应用商店', '搜索', '信息流', '线下', '朋友推荐', '直播']),
  member_level: pick(5, ['普通', '银卡', '金卡', '黑金']),
  shop: pick(6, numbered('门店', 60)),
  brand: pick(7, numbered('品牌', 40)),
  age: `18 + cityHash64(number, 8) % 50`,
}
const MAPPING: ImportMapping = { kind: 'users', id: 'user_id', identifiers: [], skip: [] }

async function usersFile(name: string, rows: number): Promise<string> {
  const path = join(dataDir, name)
  const names = Object.keys(COLUMNS)
  await warehouse.load.acrossShards.command(
    `INSERT INTO FUNCTION file('${path}', 'CustomSeparated', '${names.map((_, at) => `c${at} String`).join(', ')}')
     SELECT * FROM (SELECT ${names.map((column) => `'${column}'`).join(', ')}
       UNION ALL SELECT ${Object.values(COLUMNS)
         .map((column) => `toString(${column})`)
         .join(', ')} FROM numbers(${rows}))
     SETTINGS format_custom_field_delimiter = ',', format_custom_escaping_rule = 'Raw', max_threads = 1`,
  )
  return path
}

async function importUsers(adv_id: number, path: string): Promise<void> {
  const id = await services.imports.startFile(adv_id, path, MAPPING)
  const row = await services.imports.wait(id, new AbortController().signal, () => {})
  if (!row.report) throw new Error(row.error ?? 'the import failed')
}

/** A rule of several leaves over different tags. */
function randomRule(tags: readonly number[]) {
  const chosen = new Set<number>()
  while (chosen.size < Math.min(tagsOfACrowd, tags.length)) chosen.add(tags[random(tags.length)] as number)
  const op = () => ['n', 'u', 'e'][random(3)] as string
  const leaves = [...chosen].map((id, at) => ({
    id: `l${at}`,
    op: 'u',
    subTags: [{ id, tag_type: 1 }],
    exps: [] as object[],
  }))
  const [first, ...rest] = leaves as { id: string; op: string; subTags: object[]; exps: object[] }[]
  return rest.reduce(
    (tree, leaf, at) => ({ id: `n${at}`, op: op(), subTags: [], exps: [tree, leaf] }),
    first as { id: string; op: string; subTags: object[]; exps: object[] },
  )
}

async function saveCrowd(adv_id: number, tags: readonly number[], name: string): Promise<number> {
  const { rId } = await call<{ rId: number }>('POST', '/api/peoplerule', { advId: adv_id })
  await call('PUT', `/api/peoplerule/${rId}`, { advId: adv_id, rule: randomRule(tags) })
  const invalidTime = Math.floor(Date.now() / 1000) + 30 * 86_400
  return (await call<{ id: number }>('POST', '/api/people', { rId, name, invalidTime, dirId: 1 })).id
}

interface Crowd {
  status: string
  refreshing: boolean
  computedAt: number | null
  magnitude: number | null
}

/** Milliseconds until the crowd has a result that is newer than `after`. */
async function untilComputed(id: number, isNew: (crowd: Crowd) => boolean): Promise<number> {
  const began = performance.now()
  for (;;) {
    const crowd = await call<Crowd>('GET', `/api/people/${id}`)
    if (crowd.status === 'failed') throw new Error(`crowd ${id} failed`)
    if (crowd.status === 'completed' && isNew(crowd)) return performance.now() - began
    await pause(POLL_MS)
  }
}

const versionOf = async (id: number) =>
  (await db.selectFrom('people').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version

const remaining = async (ids: ReadonlyMap<number, number>) =>
  (
    await db
      .selectFrom('people')
      .select(['id', 'version'])
      .where('id', 'in', [...ids.keys()])
      .execute()
  ).filter((crowd) => crowd.version === ids.get(crowd.id)).length

async function tagsCounted(adv_id: number): Promise<void> {
  const waiting = () =>
    db
      .selectFrom('tag')
      .select('id')
      .where('adv_id', '=', adv_id)
      .where((eb) => eb.or([eb('is_dirty', '=', true), eb('count', 'is', null)]))
      .executeTakeFirst()
  while (await waiting()) await pause(POLL_MS)
}

const seconds = (ms: number) => Math.round(ms / 10) / 100

try {
  const adv_id = await services.advertisers.create(null, '广告主')
  await importUsers(adv_id, await usersFile('first.csv', FIRST_PEOPLE))
  await tagsCounted(adv_id)
  const tags = (
    await db
      .selectFrom('tag')
      .select('id')
      .where('adv_id', '=', adv_id)
      .where('is_built_in', '=', false)
      .orderBy('id')
      .execute()
  ).map((tag) => tag.id)
  const ids: number[] = []
  for (let at = 0; at < crowds; at++) ids.push(await saveCrowd(adv_id, tags, `人群${at + 1}`))
  for (const id of ids) await untilComputed(id, () => true)
  // As if they had been computed long ago: a crowd is recomputed every 15 minutes at most.
  await db
    .updateTable('people')
    .set((eb) => ({ computed_at: eb('computed_at', '-', 3600) }))
    .execute()
  const before = new Map(
    (await db.selectFrom('people').select(['id', 'version']).execute()).map((one) => [one.id, one.version]),
  )
  const path = await usersFile('users.csv', people)
  console.log(
    `${people.toLocaleString('en')} people, ${tags.length} tags, ${crowds} crowds of ${tagsOfACrowd} tags, load ${loadavg()[0]?.toFixed(1)}`,
  )

  await importUsers(adv_id, path)
  const ended = performance.now()
  const limit = ended + Number(given.limit) * 1000
  let isOver = false
  const saves: number[] = []
  const clicks: number[] = []
  const person = (async () => {
    for (let turn = 0; !isOver; turn++) {
      const id = await saveCrowd(adv_id, tags, `新人群${turn + 1}`)
      saves.push(await untilComputed(id, () => true))
      const clicked = ids[random(ids.length)] as number
      const version = await versionOf(clicked)
      const began = performance.now()
      await call('POST', `/api/people/${clicked}/compute`)
      while ((await versionOf(clicked)) === version) await pause(POLL_MS)
      clicks.push(performance.now() - began)
      await pause(500)
    }
  })()
  let left = crowds
  while (left > 0 && performance.now() < limit) {
    await pause(200)
    left = await remaining(before)
  }
  const took = performance.now() - ended
  isOver = true
  await person
  if (left > 0) console.log(`${left} crowds were not recomputed within ${given.limit} s`)

  for (const id of ids.slice(0, 20)) {
    const crowd = await call<Crowd & { rId: number }>('GET', `/api/people/${id}`)
    const { def } = await call<{ def: { id: string } }>('GET', `/api/peoplerule/${crowd.rId}`)
    const { cnt } = await call<{ cnt: Record<string, number> }>('POST', `/api/peoplerule/${crowd.rId}/count`, {
      advId: adv_id,
      rule: def,
    })
    if (left === 0 && cnt[def.id] !== crowd.magnitude)
      throw new Error(`crowd ${id} holds ${crowd.magnitude} people, its rule counts ${cnt[def.id]}`)
  }
  console.log(
    `all recomputed ${seconds(took)} s after the import; meanwhile ${saves.length} saves p50 ${seconds(percentile(saves, 0.5))} s, ` +
      `${clicks.length} clicks p50 ${seconds(percentile(clicks, 0.5))} s; load ${loadavg()[0]?.toFixed(1)}`,
  )
  console.log(
    `RESULT ${JSON.stringify({
      all_s: left === 0 ? seconds(took) : null,
      save_p95_s: seconds(percentile(saves, 0.95)),
      clicked_p95_s: seconds(percentile(clicks, 0.95)),
    })}`,
  )
} finally {
  await close()
}
process.exit(0)
