// What a browser fetches and how long it takes until each main page works, and how quickly the large ones answer, in the
// production build with a processor four times slower, beside like pages of @ant-design/pro-components.
import { execFile } from 'node:child_process'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { percentile } from './measure.ts'
import { servePeer } from './web-peer.ts'

interface Opening {
  shell_ms: number
  works_ms: number
  largest_ms: number
  requests: number
  gzip_kb: number
  script_kb: number
}
interface Measured {
  cold: Opening[]
  cached: Opening[]
  clicks: number[]
}

interface Pages {
  openings: { name: string; ours: Opening[]; peer: Opening[] }[]
  works: { name: string; ours: number[]; peer: number[] }[]
}

const { values: given } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, 'page-rounds': { type: 'string', default: '2' } },
})

const median = (openings: readonly Opening[], of: keyof Opening) =>
  Math.round(
    percentile(
      openings.map((opening) => opening[of]),
      0.5,
    ),
  )
const p95 = (times: readonly number[]) => Math.round(percentile(times, 0.95))

/** Medians of the openings, and the 95th percentile of the clicks. */
function resultOf({ cold, cached, clicks }: Measured) {
  return {
    first_gzip_kb: median(cold, 'gzip_kb'),
    first_requests: median(cold, 'requests'),
    shell_ms_cached: median(cached, 'shell_ms'),
    shell_ms_cold: median(cold, 'shell_ms'),
    works_ms_cached: median(cached, 'works_ms'),
    works_ms_cold: median(cold, 'works_ms'),
    largest_ms_cold: median(cold, 'largest_ms'),
    interaction_p95_ms: p95(clicks),
  }
}

/** Columns of at least these widths. */
const line = (cells: readonly (string | number)[]) =>
  console.log(cells.map((cell, at) => (at === 0 ? widened(String(cell), 34) : String(cell).padStart(13))).join(''))
/** Chinese characters are two columns wide. */
const widened = (text: string, width: number) =>
  text + ' '.repeat(Math.max(1, width - text.length - (text.match(/[\u3000-\u9fff]/g)?.length ?? 0)))

async function measured<T>(script: string, url: string, rounds: string): Promise<T> {
  const path = join(import.meta.dirname, '../e2e', script)
  const running = promisify(execFile)('node', [path, url, rounds], { maxBuffer: 1e8 })
  running.child.stderr?.pipe(process.stderr)
  const { stdout } = await running
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T
}

function tell({ openings, works }: Pages) {
  line(['main pages, cold', 'script KB', 'KB', 'requests', 'largest ms', 'works ms', 'peer KB', 'peer works'])
  for (const { name, ours, peer } of openings) {
    const figures = (['script_kb', 'gzip_kb', 'requests', 'largest_ms', 'works_ms'] as const).map((of) =>
      median(ours, of),
    )
    line([name, ...figures, median(peer, 'script_kb'), median(peer, 'works_ms')])
  }
  line(['interactions (a turn of the wheel: its longest frame)', 'p95 ms', 'most ms', 'count', 'peer p95', 'peer most'])
  for (const { name, ours, peer } of works) {
    line([name, p95(ours), Math.round(Math.max(...ours)), ours.length, p95(peer), Math.round(Math.max(...peer))])
  }
}

const { url, server } = await servePeer()
try {
  const first = await measured<{ ours: Measured; peer: Measured }>('first-paint.ts', url, given.rounds)
  const pages = await measured<Pages>('page-speed.ts', url, given['page-rounds'])
  const [ours, peer] = [resultOf(first.ours), resultOf(first.peer)]
  console.log(`list of rule crowds, processor 4 times slower, load ${loadavg()[0]?.toFixed(1)}`)
  line(['', 'ours', 'peer'])
  for (const [name, value] of Object.entries(ours)) line([name, value, peer[name as keyof typeof peer]])
  tell(pages)
  const interactions = [...first.ours.clicks, ...pages.works.flatMap((work) => work.ours)]
  console.log(`RESULT ${JSON.stringify({ ...ours, interaction_p95_ms: p95(interactions) })}`)
} finally {
  server.close()
}
