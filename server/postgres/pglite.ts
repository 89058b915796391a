import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { endNow } from '../end-now.ts'
import { StartError } from '../start-error.ts'
import { isDiskFull } from '../storage/disk-full.ts'

/** The maximum length of a unix socket's path in bytes, rounded down. */
const SOCKET_PATH_MAX = 100
/** The name that libpq and `pg` expect in the directory given as host. */
const SOCKET_NAME = '.s.PGSQL.5432'
const DISK_FULL = '磁盘空间不足；请清理磁盘后重新启动，已确认的不会丢'
const LEAST_BYTES = 2 ** 20
/** PGlite's file system throws WASI error numbers. */
const REASONS: Record<number, string> = {
  2: '没有权限',
  19: DISK_FULL,
  51: DISK_FULL,
  63: '没有权限',
  69: '它在只读的文件系统上',
}

/** Starts PGlite on `dataDir` in its own thread; a Postgres client connects to `host`. */
export async function startPglite(dataDir: string) {
  const directory = resolve(dataDir, 'postgres')
  const { host, remove } = socketDirectory(resolve(dataDir))
  const socket = join(host, SOCKET_NAME)
  rmSync(socket, { force: true })
  const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), {
    workerData: { directory, socket },
    // Drops this process's Node options, since some of them prevent a worker from running its file.
    execArgv: [],
  })
  let state: 'starting' | 'serving' | 'closing' = 'starting'

  await new Promise<void>((ready, refuse) => {
    const broken = (reason: string) => {
      if (state === 'closing') return
      if (state === 'starting') return refuse(new StartError(`内置数据库无法打开 ${directory}：${reason}`))
      // Without its database the server would not answer any call. After a restart it does.
      console.error(`内置数据库意外停止，进程退出：${reason}`)
      endNow(1)
    }
    worker.once('message', () => {
      state = 'serving'
      ready()
    })
    worker.once('error', (error) => broken(isFull(dataDir) ? DISK_FULL : reasonOf(error)))
    worker.once('exit', (code) => broken(`退出码 ${code}`))
  })

  return {
    host,
    async close() {
      state = 'closing'
      const exited = new Promise((done) => worker.once('exit', done))
      worker.postMessage('close')
      await exited
      rmSync(socket, { force: true })
      remove()
    },
  }
}

/** On an almost full disk the engine may only report that it failed. */
function isFull(directory: string): boolean {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize < LEAST_BYTES
}

/** What the engine says, compiled without the words of its assertions, when it cannot read its files. */
const ABORTED = /^Aborted\(/
const DAMAGED = '数据文件损坏或不完整，请恢复备份'

function reasonOf(error: unknown): string {
  const { name, errno } = (error ?? {}) as { name?: unknown; errno?: unknown }
  if (name === 'ErrnoError' && typeof errno === 'number') return REASONS[errno] ?? `系统错误 ${errno}`
  if (isDiskFull(error)) return DISK_FULL
  const message = error instanceof Error ? error.message : String(error)
  return ABORTED.test(message) ? DAMAGED : message
}

function socketDirectory(dataDir: string) {
  mkdirSync(dataDir, { recursive: true })
  if (Buffer.byteLength(join(dataDir, SOCKET_NAME)) <= SOCKET_PATH_MAX) return { host: dataDir, remove: () => {} }
  const host = mkdtempSync(join(tmpdir(), 'renqun-'))
  return { host, remove: () => rmSync(host, { recursive: true, force: true }) }
}
