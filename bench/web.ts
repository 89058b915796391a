// What a browser fetches and how long it takes until the list of rule crowds works, in the production build with a processor
// four times slower, beside a like page of @ant-design/pro-components.
import { execFile } from 'node:child_process'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { percentile } from './measure.ts'
import { servePeer } from './web-peer.ts'

interface Opening {
  shell_ms: number
  works_ms: number
  requests: number
  gzip_kb: number
}
interface Measured {
  cold: Opening[]
  cached: Opening[]
  clicks: number[]
}

const { values: given } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })

/** Medians of the openings, and the 95th percentile of the clicks. */
function resultOf({ cold, cached, clicks }: Measured) {
  const median = (openings: readonly Opening[], of: keyof Opening) =>
    Math.round(
      percentile(
        openings.map((opening) => opening[of]),
        0.5,
      ),
    )
  return {
    first_gzip_kb: median(cold, 'gzip_kb'),
    first_requests: median(cold, 'requests'),
    shell_ms_cached: median(cached, 'shell_ms'),
    shell_ms_cold: median(cold, 'shell_ms'),
    works_ms_cached: median(cached, 'works_ms'),
    works_ms_cold: median(cold, 'works_ms'),
    interaction_p95_ms: Math.round(percentile(clicks, 0.95)),
  }
}

const { url, server } = await servePeer()
try {
  const script = join(import.meta.dirname, '../e2e/first-paint.ts')
  const { stdout } = await promisify(execFile)('node', [script, url, given.rounds], { maxBuffer: 1e8 })
  const measured = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { ours: Measured; peer: Measured }
  const [ours, peer] = [resultOf(measured.ours), resultOf(measured.peer)]
  console.log(`list of rule crowds, processor 4 times slower, load ${loadavg()[0]?.toFixed(1)}`)
  console.log(`${''.padEnd(20)}${'ours'.padStart(10)}${'pro-components'.padStart(18)}`)
  for (const [name, value] of Object.entries(ours))
    console.log(
      `${name.padEnd(20)}${String(value).padStart(10)}${String(peer[name as keyof typeof peer]).padStart(18)}`,
    )
  console.log(`RESULT ${JSON.stringify(ours)}`)
} finally {
  server.close()
}
