// Hashes one large file of phones in Chromium as the upload page does, and as it was done before: in one worker, one value
// after the other. `node e2e/hash-parallel.ts DIRECTORY MEGABYTES ROUNDS` prints JSON; part of `npm run bench -- browser-hash`.
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inHashPage } from './hash-page.ts'

const [directory, megabytes, rounds] = process.argv.slice(2)
if (!directory || !megabytes || !rounds) throw new Error('DIRECTORY MEGABYTES ROUNDS')

const LINE_BYTES = 12
const path = join(directory, 'phones.txt')
const lines = Math.floor((Number(megabytes) * 1e6) / LINE_BYTES)
const bytes = Buffer.alloc(lines * LINE_BYTES)
for (let at = 0; at < lines; at++) bytes.write(`${13_000_000_000 + at}\n`, at * LINE_BYTES, 'latin1')
writeFileSync(path, bytes)

await inHashPage(async (page) => {
  await page.locator('input').setInputFiles(path)
  const hash = (before: boolean) =>
    page.evaluate(async (before) => {
      const { hashFile } = (await import('/hash-file.js' as string)) as typeof import('../web/lib/hash/hash-file.ts')
      const file = document.querySelector('input')?.files?.[0]
      if (!file) throw new Error('no file')
      let longest = 0
      let last = performance.now()
      const beat = setInterval(() => {
        longest = Math.max(longest, performance.now() - last)
        last = performance.now()
      })
      const began = performance.now()
      const choice = { encoding: 'utf-8', separator: null, column: 0, has_header: false } as const
      const run = before ? { workers: 1, withLanes: false } : {}
      const { report } = await hashFile(file, 'HASH_MOBILE_PHONE', choice, run)
      const took = performance.now() - began
      clearInterval(beat)
      return { took, hashed: report.hashed, longest, cores: navigator.hardwareConcurrency }
    }, before)
  const size = statSync(path).size / 1e6
  const results = { before: [] as number[], now: [] as number[], longest: 0, cores: 0 }
  for (let round = 0; round < Number(rounds); round++) {
    for (const kind of ['before', 'now'] as const) {
      const { took, hashed, longest, cores } = await hash(kind === 'before')
      if (hashed !== lines) throw new Error(`${hashed} of ${lines} lines were hashed`)
      results[kind].push(size / (took / 1000))
      if (kind === 'now') results.longest = Math.max(results.longest, longest)
      results.cores = cores
    }
  }
  console.log(JSON.stringify(results))
})
process.exit(0)
