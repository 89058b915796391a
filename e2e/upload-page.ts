import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from './test.ts'

// The page on which a crowd's files are uploaded.

const scratch = mkdtempSync(join(tmpdir(), 'renqun-files-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))

/** Writes a file to disk; a number is the size of an empty one. */
export function fileOf(name: string, content: string | number | Buffer): string {
  const path = join(scratch, name)
  writeFileSync(path, typeof content === 'number' ? '' : content)
  if (typeof content === 'number') truncateSync(path, content)
  return path
}

export const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
export const chooseType = (page: Page, label: string) => page.getByRole('radio', { name: label, exact: true }).check()

/** Chooses files in the browser's file dialog. */
export async function chooseFiles(page: Page, ...paths: string[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: /将文件拖到此处/ }).click(),
  ])
  await chooser.setFiles(paths)
}

/** The page's requests to the upload endpoint: creations, and bytes from an offset. */
export function watchUploads(page: Page) {
  const seen: { method: string; offset: number }[] = []
  const sent: string[] = []
  page.on('request', (request) => {
    if (!request.url().includes('/api/oss/upload')) return
    const offset = Number(request.headers()['upload-offset'] ?? 0)
    if (request.method() === 'POST' || request.method() === 'PATCH') seen.push({ method: request.method(), offset })
    if (request.method() === 'PATCH') sent.push(request.url().split('/').at(-1) ?? '')
  })
  return { seen, uri: () => sent.at(-1) ?? '', begun: () => seen.filter((one) => one.method === 'POST').length }
}

/** Reads the bytes that the server has of an upload. */
export const heldIn = (dataDir: string) => (uri: string) => readFileSync(join(dataDir, 'uploads', uri))
