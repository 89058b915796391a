// Megabytes per second that Chromium hashes line by line, as the upload page does, compared with `sha256sum`.
// `node e2e/hash-speed.ts DIRECTORY` writes its files there and prints JSON; part of `npm run bench -- identifiers`.
import { execFileSync } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IdentifierType } from '#contract/identifier.ts'
import { inHashPage } from './hash-page.ts'

const LINES = 2_000_000

/** Raw values, one per line. */
const RAW: readonly { type: IdentifierType; line: (number: number) => string }[] = [
  { type: 'HASH_IMEI', line: (number) => `86${String(number).padStart(13, '0')}` },
  { type: 'HASH_MOBILE_PHONE', line: (number) => String(13_000_000_000 + number) },
  { type: 'SHA256_MOBILE_PHONE', line: (number) => String(13_000_000_000 + number) },
]

interface BrowserSpeed {
  type: IdentifierType
  mb_s: number
  sha256sum_mb_s: number
}

async function browserSpeed(directory: string): Promise<BrowserSpeed[]> {
  return inHashPage(async (page) => {
    const speeds: BrowserSpeed[] = []
    for (const { type, line } of RAW) {
      const path = join(directory, `${type}.txt`)
      writeFileSync(path, Array.from({ length: LINES }, (_, number) => `${line(number)}\n`).join(''))
      const megabytes = statSync(path).size / 1e6
      await page.locator('input').setInputFiles(path)
      const hash = () =>
        page.evaluate(async (type) => {
          const { hashFile } = (await import(
            '/hash-file.js' as string
          )) as typeof import('../web/lib/hash/hash-file.ts')
          const file = document.querySelector('input')?.files?.[0]
          if (!file) throw new Error('no file')
          const began = performance.now()
          const choice = { encoding: 'utf-8', separator: null, column: 0, has_header: false } as const
          const { report } = await hashFile(file, type, choice)
          return { took: performance.now() - began, hashed: report.hashed }
        }, type)
      await hash()
      const { took, hashed } = await hash()
      if (hashed !== LINES) throw new Error(`${hashed} of ${LINES} lines were hashed`)
      const began = performance.now()
      execFileSync('sha256sum', [path])
      const sum = performance.now() - began
      speeds.push({ type, mb_s: megabytes / (took / 1000), sha256sum_mb_s: megabytes / (sum / 1000) })
    }
    return speeds
  })
}

const [directory] = process.argv.slice(2)
if (!directory) throw new Error('a directory for the files is missing')
console.log(JSON.stringify(await browserSpeed(directory)))
process.exit(0)
