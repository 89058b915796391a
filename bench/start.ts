// How long `server/main.ts` takes until it serves, on an idle machine and on a busy one, and what memory it keeps after an
// import of a wide file. Beside it, the start of an empty Node process on the busy machine.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { percentile, timed } from './measure.ts'

const { values: given } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    /** Of the wide file. */
    rows: { type: 'string', default: '20000' },
    columns: { type: 'string', default: '900' },
    /** Busy processes for each core. */
    busy: { type: 'string', default: '2' },
  },
})
const rounds = Number(given.rounds)
const ROOT = join(import.meta.dirname, '..')
const directory = mkdtempSync(join(tmpdir(), 'renqun-bench-'))
const env = {
  ...process.env,
  DATA_DIR: join(directory, 'data'),
  ADMIN_PASSWORD: 'a-password-for-the-bench',
  HOST: '127.0.0.1',
  PORT: '0',
  DEMO: '0',
  WEB_BUILD: '0',
}
/** The server gives memory back over some seconds. */
const REST_MS = 15_000
/** Of the first import, which loads what every later one uses. */
const SMALL = { rows: 1000, columns: 10 }

const children = new Set<ChildProcess>()
function start(args: readonly string[]) {
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

async function stop(child: ChildProcess) {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Starts the server; resolves when it says that it serves. */
async function serve(): Promise<ChildProcess> {
  const child = start(['server/main.ts'])
  for await (const text of child.stdout ?? []) if (String(text).includes('人群已启动')) break
  child.stdout?.resume()
  if (child.exitCode !== null) throw new Error('the server ended')
  return child
}

async function startsIn(): Promise<number> {
  const [took, child] = await timed(serve)
  await stop(child)
  return took
}

const emptyNode = async () => (await timed(() => once(start(['-e', '0']), 'exit')))[0]

async function several(measure: () => Promise<number>): Promise<number[]> {
  const all: number[] = []
  for (let round = 0; round < rounds; round++) all.push(await measure())
  return all
}

/** Resident memory of a process, in MB. */
function residentOf({ pid }: ChildProcess): number {
  const found = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(found?.[1]) / 1024
}
const rest = () => new Promise((resolve) => setTimeout(resolve, REST_MS))

async function importFile(name: string, { rows, columns }: { rows: number; columns: number }): Promise<void> {
  const path = join(directory, `${name}.csv`)
  const cells = (of: (column: number) => string) => Array.from({ length: columns }, (_, n) => of(n)).join(',')
  const lines = Array.from({ length: rows }, (_, row) => `u${row},${cells((n) => `${name}${(row * (n + 7)) % 997}`)}`)
  writeFileSync(path, `id,${cells((n) => `${name}${n}`)}\n${lines.join('\n')}\n`)
  const child = start([
    'cli/renqun.ts',
    'import',
    'users',
    path,
    '--advertiser',
    name,
    '--create-advertiser',
    '--id',
    'id',
  ])
  child.stdout?.resume()
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the import of ${name}.csv failed`)
}

const seconds = (values: readonly number[], part = 0.5) => Math.round(percentile(values, part) / 100) / 10
const line = (what: string, values: readonly number[]) =>
  console.log(`${what.padEnd(44)} ${seconds(values).toFixed(1)} s, slowest ${seconds(values, 1).toFixed(1)} s`)

try {
  console.log(`load ${loadavg()[0]?.toFixed(1)}, ${availableParallelism()} cores`)
  const fresh = [await startsIn()]
  line('first start, which makes the stores', fresh)
  const idle = await several(startsIn)
  line('start on existing stores', idle)
  const crowd = Array.from({ length: availableParallelism() * Number(given.busy) }, () => start(['-e', 'for (;;) {}']))
  const busyNode = await several(emptyNode)
  line(`an empty Node process, ${crowd.length} busy processes`, busyNode)
  const busy = await several(startsIn)
  line(`start on existing stores, ${crowd.length} busy processes`, busy)
  for (const one of crowd) await stop(one)

  const server = await serve()
  await importFile('small', SMALL)
  await rest()
  const before = residentOf(server)
  await importFile('wide', { rows: Number(given.rows), columns: Number(given.columns) })
  const after = residentOf(server)
  await rest()
  const rested = residentOf(server)
  await stop(server)
  console.log(
    `${given.rows} rows of ${given.columns} columns: ${Math.round(before)} MB before, ${Math.round(after)} MB at the end, ${Math.round(rested)} MB after ${REST_MS / 1000} s`,
  )
  console.log(
    `RESULT ${JSON.stringify({
      first_s: seconds(fresh),
      start_s: seconds(idle),
      busy_start_s: seconds(busy, 1),
      busy_node_s: seconds(busyNode, 1),
      memory_ratio: Math.round((rested / before) * 100) / 100,
    })}`,
  )
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
}
