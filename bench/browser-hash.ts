// Megabytes per second that Chromium hashes of a large file of phones in all its workers, beside one worker that hashes one
// value after the other, as it was done before; and how long the page stood still meanwhile.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { percentile } from './measure.ts'

const { values: given } = parseArgs({
  options: { mb: { type: 'string', default: '200' }, rounds: { type: 'string', default: '3' } },
})
const directory = mkdtempSync(join(tmpdir(), 'renqun-bench-'))
try {
  const script = join(import.meta.dirname, '../e2e/hash-parallel.ts')
  const output = execFileSync('node', [script, directory, given.mb, given.rounds], { encoding: 'utf8' })
  const { before, now, longest, cores } = JSON.parse(output) as {
    before: number[]
    now: number[]
    longest: number
    cores: number
  }
  const [old, ours] = [percentile(before, 0.5), percentile(now, 0.5)]
  console.log(
    `${given.mb} MB of phones to MD5, ${cores} cores, load ${loadavg()[0]?.toFixed(1)}
one worker, one value after the other  ${old.toFixed(0)} MB/s
all workers, eight values at once      ${ours.toFixed(0)} MB/s, ${(ours / old).toFixed(1)} times; goal 3
longest time that the page stood still ${longest.toFixed(0)} ms`,
  )
  console.log(
    `RESULT ${JSON.stringify({ before_mb_s: old, mb_s: ours, times: ours / old, longest_block_ms: Math.round(longest) })}`,
  )
} finally {
  rmSync(directory, { recursive: true, force: true })
}
