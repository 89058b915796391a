import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** The first start may load the demo. */
const READY_WITHIN_MS = 180_000

export const ADMIN_PASSWORD = 'e2e-password'

export type RunningServer = {
  url: string
  dataDir: string
  /** The process, for tests that kill it. */
  process: ChildProcess
  /** Everything that it has printed. */
  output(): string
  stop(): Promise<void>
}

export async function buildWeb(): Promise<void> {
  const build = spawn(process.execPath, [join(ROOT, 'scripts', 'build-web.ts')], { cwd: ROOT, stdio: 'inherit' })
  const [code] = await once(build, 'exit')
  if (code !== 0) throw new Error(`the web build ended with ${code}`)
}

/**
 * Starts the real server with the built pages, as `npm start` does, with its own port and stores. `migrated` is a PGlite
 * directory that it starts on a copy of, since making and migrating one is half of the work of a first start.
 */
export async function startServer(env: Record<string, string> = {}, migrated?: string): Promise<RunningServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'renqun-e2e-'))
  if (migrated) cpSync(migrated, join(dataDir, 'postgres'), { recursive: true })
  const server = spawn(process.execPath, [join(ROOT, 'server', 'main.ts')], {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, ADMIN_PASSWORD, WEB_BUILD: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const url = await new Promise<string>((ready, failed) => {
    const collect = (text: string) => {
      output += text
      const address = /人群已启动：(\S+)/.exec(output)?.[1]
      if (address) ready(address)
    }
    server.stdout.setEncoding('utf8').on('data', collect)
    server.stderr.setEncoding('utf8').on('data', collect)
    server.once('exit', (code) => failed(new Error(`the server ended with ${code}:\n${output}`)))
    setTimeout(() => failed(new Error(`the server is not ready:\n${output}`)), READY_WITHIN_MS).unref()
  }).catch((error) => {
    server.kill('SIGKILL')
    throw error
  })
  return {
    url,
    dataDir,
    process: server,
    output: () => output,
    async stop() {
      if (server.exitCode === null && server.signalCode === null) {
        server.kill('SIGTERM')
        await once(server, 'exit')
      }
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
