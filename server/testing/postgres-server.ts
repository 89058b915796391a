import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const FOLDERS = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/opt/homebrew/opt/postgresql*/bin',
  '/usr/local/opt/postgresql*/bin',
]
const READY_WITHIN_MS = 30_000

/** Postgres refuses to run as root; root starts it as one of these users. */
const LENT_USERS = ['postgres', 'nobody']

export type PostgresServer = {
  url: string
  /** `fast` ends the sessions and shuts down; `immediate` is like a crash, with recovery at the start. */
  restart(how: 'fast' | 'immediate', downMs?: number): Promise<void>
  stop(): Promise<void>
}

/** The newest Postgres on this machine, or undefined. */
export function findPostgres(): string | undefined {
  const installed = FOLDERS.flatMap((pattern) => globSync(pattern)).sort((a, b) => versionOf(b) - versionOf(a))
  const inPath = (process.env.PATH ?? '').split(delimiter)
  return [...installed, ...inPath].find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  )
}

const versionOf = (folder: string) => Number(/(\d+)/.exec(folder)?.[1] ?? 0)

/** Starts a Postgres of its own in a temporary directory, on a loopback port; `stop` removes all of it. */
export async function startPostgres(bin: string): Promise<PostgresServer> {
  const owner = process.getuid?.() === 0 ? lentUser() : undefined
  // Another user may not enter root's own temporary directory.
  const directory = mkdtempSync(join(owner ? '/tmp' : tmpdir(), 'renqun-postgres-'))
  if (owner) chownSync(directory, owner.uid, owner.gid)
  const data = join(directory, 'data')
  const init = spawnSync(join(bin, 'initdb'), ['-D', data, '-U', 'renqun', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...owner,
    cwd: directory,
    encoding: 'utf8',
  })
  if (init.status !== 0) throw new Error(`initdb: ${init.stderr || init.error?.message}`)
  const port = await freePort()
  const options = [
    '-p',
    String(port),
    '-k',
    directory,
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'max_connections=200',
    '-c',
    'fsync=off',
  ]
  async function start() {
    const server = spawn(join(bin, 'postgres'), ['-D', data, ...options], {
      ...owner,
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let log = ''
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000)
    })
    for (const end = Date.now() + READY_WITHIN_MS; !/ready to accept connections/.test(log); await pause(50)) {
      if (server.exitCode === null && Date.now() < end) continue
      await ended(server, 'SIGINT')
      throw new Error(`Postgres 没有启动：\n${log}`)
    }
    return server
  }
  async function ended(server: ChildProcess, signal: NodeJS.Signals) {
    if (server.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, 'exit')
    server.kill(signal)
    await exited
  }
  const remove = () => rmSync(directory, { recursive: true, force: true })
  let server = await start().catch((error: unknown) => {
    remove()
    throw error
  })
  return {
    url: `postgres://renqun@127.0.0.1:${port}/postgres`,
    async restart(how, downMs = 0) {
      await ended(server, how === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await pause(downMs)
      server = await start()
    },
    async stop() {
      // The fast stop: it ends the sessions that are still open.
      await ended(server, 'SIGINT')
      remove()
    },
  }
}

function lentUser(): { uid: number; gid: number } {
  for (const name of LENT_USERS) {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout || Number.NaN),
    )
    if (uid && gid) return { uid, gid }
  }
  throw new Error(`Postgres 不能以 root 运行，而系统没有用户 ${LENT_USERS.join('、')}`)
}
