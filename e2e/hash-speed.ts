// Megabytes per second that Chromium hashes line by line, as the upload page does, compared with `sha256sum`.
// `node e2e/hash-speed.ts DIRECTORY` writes its files there and prints JSON; part of `npm run bench -- identifiers`.
import { execFileSync } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { createServer } from 'vite'
import type { IdentifierType } from '#contract/identifier.ts'
import { chromiumLaunch } from './chromium.ts'

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
  const vite = await createServer({ logLevel: 'error', server: { port: 0, host: '127.0.0.1', proxy: {} } })
  await vite.listen()
  const address = vite.httpServer?.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  const browser = await chromium.launch(await chromiumLaunch())
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${address.port}/lib/hash/hash-file.ts`)
    await page.setContent('<input type="file">')
    const speeds: BrowserSpeed[] = []
    for (const { type, line } of RAW) {
      const path = join(directory, `${type}.txt`)
      writeFileSync(path, Array.from({ length: LINES }, (_, number) => `${line(number)}\n`).join(''))
      const megabytes = statSync(path).size / 1e6
      await page.locator('input').setInputFiles(path)
      const hash = () =>
        page.evaluate(async (type) => {
          const { hashFile } = (await import(
            '/lib/hash/hash-file.ts' as string
          )) as typeof import('../web/lib/hash/hash-file.ts')
          const file = document.querySelector('input')?.files?.[0]
          if (!file) throw new Error('no file')
          const began = performance.now()
          const { report } = await hashFile(file, type)
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
  } finally {
    await browser.close()
    await vite.close()
  }
}

const [directory] = process.argv.slice(2)
if (!directory) throw new Error('a directory for the files is missing')
console.log(JSON.stringify(await browserSpeed(directory)))
process.exit(0)
