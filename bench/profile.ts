// What somebody waits for at a crowd's profile and at an overlap of five crowds, through HTTP, beside the plain query over
// rows of (tag, person) that gives the same counts.
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { openConsole } from './console.ts'
import { answeredBy } from './http.ts'
import { percentile, timed } from './measure.ts'
import { type TagShape, tagShapes, writeTags } from './rules-people.ts'

const { values: given } = parseArgs({
  options: {
    people: { type: 'string', default: '10000000' },
    tags: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '40' },
  },
})
const people = Number(given.people)
const rounds = Number(given.rounds)
const CROWDS = 5
/** Tags whose members plain SQL counts; its rows of all would fill the disk. */
const PLAIN_TAGS = 20
const NOW = Math.floor(Date.now() / 1000)

const { postgres, warehouse, services, origin, cookie, close } = await openConsole()
const { acrossShards: load } = warehouse.load
const { db } = postgres
const answered = answeredBy(origin, cookie)

interface Profile {
  crowd: { count: number }
  groups: { values: { tag_id: number; count: number; base_count: number }[] }[]
}
interface Changes {
  entered: number
  left: number
}
interface Overlap {
  parts: { count: number }[]
}

/** The tags as an import leaves them, in twenty categories; the first holds everyone. */
async function insertTags(adv_id: number, shapes: readonly TagShape[], counts: ReadonlyMap<number, { count: number }>) {
  await db.deleteFrom('tag').where('adv_id', '=', adv_id).execute()
  const categories = await db
    .insertInto('tag_category')
    .values(Array.from({ length: 20 }, (_, no) => ({ adv_id, name: `属性${no}`, icon: 'other', tag_type: 1 as const })))
    .returning('id')
    .execute()
  const definition = JSON.stringify({ kind: 'attribute', attribute: '属性', condition: { is: 'exists' } })
  await db
    .insertInto('tag')
    .values(
      shapes.map(({ id }, at) => ({
        ...{ id: id + 1000, adv_id, name: `标签${id}`, tag_type: 1 as const, definition, is_automatic: false },
        ...{ category_id: categories[at % categories.length]?.id ?? 0, is_built_in: at === 0, is_dirty: false },
        ...{ version: 1, count: counts.get(id + 1000)?.count ?? 0, counted_at: NOW, created_at: NOW },
      })),
    )
    .execute()
}

/** The crowds' versions, once each is later than `than`. */
async function computed(than: number): Promise<Map<number, number>> {
  for (;;) {
    const rows = await db.selectFrom('people').select(['id', 'version']).execute()
    if (rows.every(({ version }) => version > than)) return new Map(rows.map(({ id, version }) => [id, version]))
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

try {
  const adv_id = await services.advertisers.create(null, '画像')
  const shapes = tagShapes(Number(given.tags))
  const numbered = shapes.map((shape) => ({ ...shape, id: shape.id + 1000 }))
  const sets = await writeTags(load, adv_id, people, numbered)
  await insertTags(adv_id, shapes, sets)

  // Each crowd is a tag's people, so that its counts can be computed from the tags; another tag's make a second version.
  const crowds: number[] = []
  const draftOf = async (id: number) => {
    const { rId } = await answered<{ rId: number }>('/api/peoplerule', { advId: adv_id })
    const rule = { id: 'n1', op: 'n', subTags: [{ id, tag_type: 1 }], exps: [] }
    await answered(`/api/peoplerule/${rId}`, { advId: adv_id, rule })
    return rId
  }
  const tagOf = (crowd: number) => numbered[1 + (crowd % CROWDS)]?.id ?? 0
  for (let no = 0; no < CROWDS; no++) {
    const crowd = { rId: await draftOf(tagOf(no + 1)), name: `人群${no + 1}`, invalidTime: NOW + 86_400, dirId: 1 }
    crowds.push((await answered<{ id: number }>('/api/people', crowd)).id)
  }
  const firstVersions = await computed(0)
  for (const [no, id] of crowds.entries()) {
    const { ver } = await answered<{ ver: number }>(`/api/people/${id}`)
    await answered(`/api/people/${id}`, { rId: await draftOf(tagOf(no)), ver }, 'PUT')
  }
  const versions = await computed(Math.max(...firstVersions.values()))
  const changesOf = (id: number | undefined) =>
    `/api/people/${id}/changes?from=${firstVersions.get(id ?? 0)}&to=${versions.get(id ?? 0)}`

  const calls = {
    'profile against everyone': (round: number) => answered<Profile>(`/api/people/${crowds[round % CROWDS]}/profile`),
    'profile against a crowd': (round: number) =>
      answered<Profile>(`/api/people/${crowds[round % CROWDS]}/profile?against=${crowds[(round + 1) % CROWDS]}`),
    'who entered and left': (round: number) => answered<Changes>(changesOf(crowds[round % CROWDS])),
    'size over time': (round: number) => answered(`/api/people/${crowds[round % CROWDS]}/sizes`),
    'overlap of five crowds': () => answered<Overlap>('/api/people/overlap', { ids: crowds }),
  }
  const first = await timed(() => calls['profile against everyone'](0))

  // The same counts as the plain query, before anything is measured.
  const plainIds = numbered.slice(1, 1 + PLAIN_TAGS).map(({ id }) => id)
  await load.command('CREATE TABLE plain (tag_id UInt32, uid UInt32) ENGINE = MergeTree ORDER BY (tag_id, uid)')
  await load.command(
    `INSERT INTO plain SELECT tag_id, arrayJoin(bitmapToArray(bitmap)) FROM tag_member WHERE adv_id = ${adv_id} AND tag_id IN (${plainIds.join()})`,
  )
  const plain = () =>
    load.query<{ tag_id: number; n: number }>(
      `SELECT tag_id, count() AS n FROM plain WHERE uid IN (SELECT uid FROM plain WHERE tag_id = ${plainIds[0]}) GROUP BY tag_id`,
    )
  const counted = new Map(first[1].groups.flatMap(({ values }) => values).map((value) => [value.tag_id, value.count]))
  for (const { tag_id, n } of await plain())
    if (counted.get(tag_id) !== n) throw new Error(`tag ${tag_id}: ${counted.get(tag_id)} and ${n}`)

  // Who entered is in the later tag alone.
  const [entered] = await load.query<{ n: number }>(
    `SELECT count() AS n FROM plain WHERE tag_id = ${tagOf(0)} AND uid NOT IN (SELECT uid FROM plain WHERE tag_id = ${tagOf(1)})`,
  )
  const changes = await answered<Changes>(changesOf(crowds[0]))
  if (changes.entered !== entered?.n) throw new Error(`${changes.entered} and ${entered?.n} entered`)

  const times = new Map<string, number[]>()
  for (const [name, ask] of Object.entries(calls)) {
    const own: number[] = []
    for (let round = 0; round < rounds + 3; round++) {
      const [ms] = await timed(() => ask(round) as Promise<unknown>)
      // The first rounds compile code and read sets into memory.
      if (round >= 3) own.push(ms)
    }
    times.set(name, own)
  }
  const plainTimes: number[] = []
  for (let round = 0; round < 3; round++) plainTimes.push((await timed(plain))[0])

  const shown = (all: readonly number[]) =>
    `p50 ${percentile(all, 0.5).toFixed(0)} ms, p95 ${percentile(all, 0.95).toFixed(0)} ms`
  console.log(`${people.toLocaleString()} people, ${shapes.length} tags, load ${loadavg()[0]?.toFixed(1)}`)
  console.log(`first profile, nothing read yet: ${first[0].toFixed(0)} ms`)
  for (const [name, own] of times) console.log(`${name}: ${shown(own)}`)
  console.log(`plain query for ${PLAIN_TAGS} of the tags: ${shown(plainTimes)}`)
  // Of the slowest call, not of all together: the quick ones would hide it.
  const slowest = [...times.values()].toSorted((one, other) => percentile(other, 0.95) - percentile(one, 0.95))[0] ?? []
  console.log(
    `RESULT ${JSON.stringify({
      p50_ms: Math.round(percentile(slowest, 0.5)),
      p95_ms: Math.round(percentile(slowest, 0.95)),
      first_ms: Math.round(first[0]),
      plain_p50_ms: Math.round(percentile(plainTimes, 0.5)),
    })}`,
  )
} finally {
  await close()
}
process.exit(0)
