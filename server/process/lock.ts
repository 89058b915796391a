import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { StartError } from '../start-error.ts'

const LockOwner = z.object({
  pid: z.int(),
  /** When the process with that pid started. A pid may be reused; a pid with its start time is unique. */
  began: z.string(),
  /** The address at which it serves; null until it does. */
  url: z.string().nullable(),
})
export type LockOwner = z.infer<typeof LockOwner>

/** Locks `dataDir` for this process; the embedded stores have no lock between processes. */
export async function acquireLock(dataDir: string) {
  const directory = resolve(dataDir)
  const path = lockPath(directory)
  let mine: LockOwner = { pid: process.pid, began: startTimeOf(process.pid) ?? '', url: null }
  try {
    makeDirectory(directory)
    await take(directory, path, mine)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`DATA_DIR ${directory} 不可写：${reasonOf(error)}`)
  }
  return {
    /** Records the address for other processes. */
    setAddress(url: string) {
      mine = { ...mine, url }
      const written = write(directory, mine)
      renameSync(written, path)
    },
    release() {
      if (isOwnLock(readOwner(path))) rmSync(path, { force: true })
    },
  }
}

/** The running process that owns `dataDir`, if there is one. */
export function readLock(dataDir: string): LockOwner | undefined {
  const owner = readOwner(lockPath(dataDir))
  return owner && isRunning(owner) ? owner : undefined
}

/** Node's recursive mkdir repeats for ever if a file system refuses a name with ENOENT, as /proc does. */
function makeDirectory(path: string) {
  if (existsSync(path)) return
  makeDirectory(dirname(path))
  tryTo(() => mkdirSync(path, { mode: 0o700 }), 'EEXIST')
}

const REASONS: Record<string, string> = {
  EACCES: '没有权限',
  EPERM: '没有权限',
  EROFS: '它在只读的文件系统上',
  ENOENT: '这里不能新建目录',
  ENOTDIR: '它或它的上级是一个文件',
  ENOSPC: '磁盘已满',
  EDQUOT: '磁盘配额已用完',
}
const reasonOf = (error: unknown) =>
  REASONS[codeOf(error) ?? ''] ?? (error instanceof Error ? error.message : String(error))

const lockPath = (dataDir: string) => join(resolve(dataDir), 'lock')

/** A taken lock is checked again after this, which is far longer than another process needs between its two steps. */
const SETTLE_MS = 50

async function take(directory: string, path: string, mine: LockOwner) {
  const written = write(directory, mine)
  try {
    for (;;) {
      // A link appears complete or not at all, and only one of two simultaneous attempts succeeds.
      if (tryTo(() => linkSync(written, path), 'EEXIST')) {
        await pause(SETTLE_MS)
        if (isOwnLock(readOwner(path))) return
      }
      const owner = readOwner(path)
      if (owner && isRunning(owner)) throw new StartError(ownedSentence(directory, owner))
      removeStale(path)
    }
  } finally {
    rmSync(written, { force: true })
  }
}

/** Removes a dead owner's lock; a lock that another process has taken meanwhile is put back. */
function removeStale(path: string) {
  const aside = `${path}.${process.pid}.stale`
  if (!tryTo(() => renameSync(path, aside), 'ENOENT')) return
  const taken = readOwner(aside)
  if (taken && isRunning(taken)) tryTo(() => linkSync(aside, path), 'EEXIST')
  rmSync(aside, { force: true })
}

function write(directory: string, owner: LockOwner): string {
  const path = join(directory, `lock.${process.pid}`)
  try {
    writeFileSync(path, `${JSON.stringify(owner)}\n`, { mode: 0o600 })
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
  return path
}

function readOwner(path: string): LockOwner | undefined {
  try {
    return LockOwner.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    // A missing lock, or one left incomplete by a full disk, has no owner.
    return undefined
  }
}

function isRunning(owner: LockOwner): boolean {
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false
  }
  const began = startTimeOf(owner.pid)
  // If start times are unknown, a lock with our own pid is from an earlier process whose pid was reused.
  if (began === undefined) return owner.pid !== process.pid
  return began === owner.began
}

const isOwnLock = (owner: LockOwner | undefined) =>
  owner?.pid === process.pid && owner.began === (startTimeOf(process.pid) ?? '')

/** A process's start, as the boot id and the ticks since boot; unknown where there is no /proc. */
function startTimeOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the command in brackets, which may contain spaces and brackets; the 22nd is the start time.
    return `${boot}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return undefined
  }
}

function ownedSentence(directory: string, owner: LockOwner): string {
  const where = owner.url === null ? '正在启动' : `地址 ${owner.url}`
  return `DATA_DIR ${directory} 正被另一个进程使用（进程 ${owner.pid}，${where}），请先停止它，或换一个 DATA_DIR`
}

/** Returns false if the action failed with the expected code; throws any other error. */
function tryTo(act: () => void, expected: string): boolean {
  try {
    act()
    return true
  } catch (error) {
    if (codeOf(error) === expected) return false
    throw error
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | undefined)?.code
