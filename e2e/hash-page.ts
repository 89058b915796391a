import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { build, preview } from 'vite'
import { chromiumLaunch } from './chromium.ts'

const ROOT = join(import.meta.dirname, '../web')

const HASH_MODULE = '/hash-file.js'

/**
 * A page of Chromium with a file input, in which `/hash-file.js` can be imported. It is built as for release: loaded file by
 * file from a development server, each worker starts 0.4 s later.
 */
export async function inHashPage<T>(work: (page: Page) => Promise<T>): Promise<T> {
  const outDir = mkdtempSync(join(tmpdir(), 'renqun-hash-'))
  const common = { configFile: false, root: ROOT, logLevel: 'error', build: { outDir } } as const
  await build({
    ...common,
    publicDir: false,
    worker: { format: 'es' },
    build: {
      outDir,
      rolldownOptions: {
        input: join(ROOT, 'lib/hash/hash-file.ts'),
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: '[name].js' },
      },
    },
  })
  const server = await preview({ ...common, preview: { port: 0, host: '127.0.0.1' } })
  const address = server.httpServer.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  const browser = await chromium.launch(await chromiumLaunch())
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${address.port}${HASH_MODULE}`)
    await page.setContent('<input type="file">')
    return await work(page)
  } finally {
    await browser.close()
    await server.close()
    rmSync(outDir, { recursive: true, force: true })
  }
}
