import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LaunchOptions } from '@playwright/test'
import { findChromium } from '../boot.mjs'

const ROOT = join(import.meta.dirname, '..')

/** Only the page under test may use the network. As root, Chromium runs only without its sandbox. */
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

/** Without a UTF-8 locale Chromium drops a chosen file with a Chinese name and sends `cancel` to the page. */
const env = { ...process.env, LC_ALL: 'C.UTF-8' }

type Carried = { default: { args: string[]; executablePath(): Promise<string> } }

/** Options with which Playwright starts the browser that `npm test` installed. */
export async function chromiumLaunch(): Promise<LaunchOptions> {
  const found = findChromium(ROOT)
  if (!found) throw new Error('没有找到 Chromium：先运行 node boot.mjs --test，或设置 CHROMIUM_PATH')
  if ('path' in found) return { executablePath: found.path, args: QUIET, env }
  const { default: carried } = (await import(pathToFileURL(found.carried).href)) as Carried
  return { executablePath: await carried.executablePath(), args: [...carried.args, ...QUIET], env }
}
