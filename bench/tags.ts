// What the tag panel and the tag list wait for with thousands of tags: the categories and one opened category, a search,
// and a deep page, beside the whole tree in one answer.
import { get } from 'node:http'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { openConsole } from './console.ts'
import { percentile, timed } from './measure.ts'

const { values: given } = parseArgs({
  options: {
    tags: { type: 'string', default: '12000' },
    /** Categories that share the tags. */
    categories: { type: 'string', default: '240' },
    rounds: { type: 'string', default: '30' },
  },
})
const tagCount = Number(given.tags)
const categoryCount = Number(given.categories)
const rounds = Number(given.rounds)
const PAGE_SIZE = 50
const INSERTED_AT_ONCE = 1000

const { postgres, services, origin, cookie, close } = await openConsole()
const { db } = postgres

/** Tags with names as imports make them, and counts of up to ten million. */
async function insertTags(adv_id: number): Promise<number[]> {
  const made = await db
    .insertInto('tag_category')
    .values(
      Array.from({ length: categoryCount }, (_, at) => ({
        adv_id,
        name: `属性${at + 1}`,
        icon: 'other' as const,
        tag_type: 1 as const,
        source: null,
        position: at,
      })),
    )
    .returning('id')
    .execute()
  for (let from = 0; from < tagCount; from += INSERTED_AT_ONCE) {
    const some = Array.from({ length: Math.min(INSERTED_AT_ONCE, tagCount - from) }, (_, index) => {
      const at = from + index
      const value = `取值${(at * 7919) % 100_003}`
      return {
        adv_id,
        name: value,
        tag_type: 1 as const,
        category_id: made[at % made.length]?.id ?? 0,
        definition: JSON.stringify({
          kind: 'attribute',
          attribute: `a${at % made.length}`,
          condition: { is: 'equals', value },
        }),
        is_automatic: true,
        is_built_in: false,
        count: (at * 104_729) % 10_000_000,
        counted_at: 1_790_000_000,
        is_dirty: false,
        created_at: 1_790_000_000,
      }
    })
    await db.insertInto('tag').values(some).execute()
  }
  return made.map(({ id }) => id)
}

interface Measured {
  ms: number
  /** Processor time, of the client in the same process too. */
  cpu: number
  kb: number
}

/** One answer as a browser receives it, with its bytes on the wire. */
const received = (path: string) =>
  new Promise<number>((resolve, reject) => {
    get(`${origin}${path}`, { headers: { cookie, 'accept-encoding': 'br' } }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      answer.on('end', () =>
        answer.statusCode === 200 ? resolve(bytes) : reject(new Error(`${path}: ${answer.statusCode}`)),
      )
    }).on('error', reject)
  })

/** The median time of several calls in turn, and their bytes together. */
async function measured(...paths: string[]): Promise<Measured> {
  const times: number[] = []
  let bytes = 0
  let began = process.cpuUsage()
  for (let round = 0; round < rounds + 2; round++) {
    const [ms, sizes] = await timed(async () => {
      const all: number[] = []
      for (const path of paths) all.push(await received(path))
      return all
    })
    bytes = sizes.reduce((sum, size) => sum + size, 0)
    // The first rounds compile code and fill caches.
    if (round >= 2) times.push(ms)
    else began = process.cpuUsage()
  }
  const { user, system } = process.cpuUsage(began)
  return { ms: percentile(times, 0.5), cpu: (user + system) / 1000 / rounds, kb: bytes / 1000 }
}

try {
  const adv_id = await services.advertisers.create(null, '标签')
  const [first = 0] = await insertTags(adv_id)
  const of = `adv_id=${adv_id}&tag_type=1`
  const lastPage = Math.ceil(tagCount / PAGE_SIZE)
  const tree = await measured(`/api/tree?${of}&most=0`, `/api/tree?${of}&category_id=${first}`)
  const search = await measured(`/api/tree?${of}&keyword=${encodeURIComponent('取值77')}`)
  const pinyin = await measured(`/api/tree?${of}&keyword=qz77`)
  const deep = await measured(`/api/tag/list?${of}&page=${lastPage}&page_size=${PAGE_SIZE}`)
  const whole = await measured(`/api/tree?${of}`)

  const row = (what: string, { ms, cpu, kb }: Measured) =>
    console.log(`${what}: ${ms.toFixed(1)} ms (processor time ${cpu.toFixed(1)} ms), ${kb.toFixed(1)} KB`)
  console.log(
    `${tagCount} tags in ${categoryCount} categories, median of ${rounds} rounds, load ${loadavg()[0]?.toFixed(1)}`,
  )
  row('categories, then one category', tree)
  row('search by a part of a name', search)
  row('search by initials', pinyin)
  row(`page ${lastPage} of the list`, deep)
  row('the whole tree in one answer, as before', whole)
  const rounded = (value: number) => Math.round(value * 10) / 10
  console.log(
    `RESULT ${JSON.stringify({
      tree_ms: rounded(tree.ms),
      tree_kb: rounded(tree.kb),
      search_ms: rounded(search.ms),
      pinyin_ms: rounded(pinyin.ms),
      deep_page_ms: rounded(deep.ms),
      whole_tree_ms: rounded(whole.ms),
      whole_tree_kb: rounded(whole.kb),
    })}`,
  )
} finally {
  await close()
}
process.exit(0)
