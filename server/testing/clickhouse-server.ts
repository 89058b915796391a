import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const PROCESS = join(import.meta.dirname, 'clickhouse-process.ts')
const READY_WITHIN_MS = 60_000
const USER = 'renqun'
const PASSWORD = 'right-password'
/** For each server; several of them share a machine with the tests. */
const MEMORY_BYTES = 4_000_000_000

export interface ClickHouseServer {
  /** With user and password; the path names the database. */
  url: string
  /** Kills the process without a clean shutdown. */
  kill(): Promise<void>
  /** Starts it again at the same address, on the same data. */
  start(): Promise<void>
  /** Ends it and removes its files. */
  stop(): Promise<void>
}

interface ClickHouseOptions {
  /** Further users with the same password, each with the statements that grant their rights. */
  users?: Record<string, readonly string[]>
  /** The directory that gets the server's files, for a disk of its own. */
  within?: string
}

/** A ClickHouse server in a process of its own, on loopback ports, with its files in a temporary directory. */
export async function startClickHouse({
  users = {},
  within = tmpdir(),
}: ClickHouseOptions = {}): Promise<ClickHouseServer> {
  const directory = mkdtempSync(join(within, 'renqun-clickhouse-'))
  const [tcp, http] = [await freePort(), await freePort()]
  const config = join(directory, 'config.xml')
  mkdirSync(join(directory, 'data'))
  writeFileSync(join(directory, 'users.xml'), usersXml(users))
  writeFileSync(config, configXml(directory))
  const args = [`--config-file=${config}`, `--path=${join(directory, 'data')}`, `--tcp_port=${tcp}`]

  async function launch() {
    const child = spawn(process.execPath, [PROCESS, ...args, `--http_port=${http}`, '--listen_host=127.0.0.1'], {
      cwd: directory,
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let printed = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-10_000)
    })
    // Without a listener, a write to an ended child process would end this one.
    child.stdin.on('error', () => {})
    const ended = once(child, 'exit')
    for (const end = Date.now() + READY_WITHIN_MS; !(await answers(http)); await pause(20)) {
      if (child.exitCode === null && child.signalCode === null && Date.now() < end) continue
      child.kill('SIGKILL')
      throw new Error(`ClickHouse did not start:\n${printed}`)
    }
    return { child, ended }
  }

  let running = await launch()
  return {
    url: `http://${USER}:${PASSWORD}@127.0.0.1:${http}`,
    async kill() {
      running.child.kill('SIGKILL')
      await running.ended
    },
    async start() {
      running = await launch()
    },
    async stop() {
      running.child.stdin.end()
      // It waits for connections that are kept open. Its files are not used again, so it need not end by itself.
      await Promise.race([running.ended, pause(2000)])
      running.child.kill('SIGKILL')
      await running.ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Closes its connection at once: the server waits for open ones when it stops. */
const answers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/ping`, { headers: { connection: 'close' } }).then(
    (answer) => answer.ok,
    () => false,
  )

const configXml = (directory: string) => `<clickhouse>
  <users_config>${directory}/users.xml</users_config>
  <max_server_memory_usage>${MEMORY_BYTES}</max_server_memory_usage>
  <background_pool_size>4</background_pool_size>
</clickhouse>`

/** `clickhouse local` signs in as `default` without a password, from this machine only; that user has no right to data. */
function usersXml(users: Record<string, readonly string[]>): string {
  const sha = createHash('sha256').update(PASSWORD).digest('hex')
  const named = (name: string, inner: string) =>
    `<${name}><password_sha256_hex>${sha}</password_sha256_hex><networks><ip>127.0.0.1</ip></networks>
     <profile>default</profile><quota>default</quota>${inner}</${name}>`
  const grants = (statements: readonly string[]) =>
    `<grants>${statements.map((statement) => `<query>${statement}</query>`).join('')}</grants>`
  return `<clickhouse><profiles><default/></profiles><quotas><default/></quotas><users>
    <default><no_password/><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>
      ${grants(['GRANT SYSTEM ON *.*', 'GRANT READ ON FILE', 'GRANT CREATE TEMPORARY TABLE ON *.*'])}</default>
    ${named(USER, '<access_management>1</access_management>')}
    ${Object.entries(users)
      .map(([name, statements]) => named(name, grants(statements)))
      .join('')}
  </users></clickhouse>`
}
