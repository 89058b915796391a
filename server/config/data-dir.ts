import { chmodSync, existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'
import type { Settings } from './settings.ts'

/** Refuses a DATA_DIR without data: the path may be mistyped, and a command must not create stores there. */
export function refuseWithoutData({ dataDir, databaseUrl }: Settings): void {
  if (existsSync(databaseUrl === undefined ? join(dataDir, 'postgres', 'PG_VERSION') : dataDir)) return
  throw new StartError(`DATA_DIR ${dataDir} 中没有人群的数据：请检查 DATA_DIR，或先用 npm start 启动一次`)
}

/** Permission bits of group and others. */
const NOT_OWNER = 0o077
const isOpen = (path: string) => (statSync(path).mode & NOT_OWNER) !== 0

/**
 * Closes DATA_DIR and everything in it to other users of the machine, since an earlier version left it open. Throws a
 * StartError if that fails.
 */
export function closeToOthers(dataDir: string): void {
  // Windows has no modes; a directory there is private to its user.
  if (process.platform === 'win32') return
  if (isOpen(dataDir)) close(dataDir)
  const { uid } = statSync(dataDir)
  if (uid === process.getuid?.()) return
  console.error(
    `DATA_DIR ${dataDir} 属于另一个系统用户（uid ${uid}），他可以替换其中的文件：请把它改为运行本服务的用户所有`,
  )
}

function close(dataDir: string): void {
  // The content first: if this is interrupted, the directory is still open and the next start repeats it.
  closeInside(dataDir)
  try {
    chmodSync(dataDir, 0o700)
  } catch (error) {
    throw openSentence(dataDir, error instanceof Error ? error.message : String(error))
  }
  if (isOpen(dataDir)) throw openSentence(dataDir, '它所在的文件系统不保存权限')
}

/** Skips links: other users may have put some here that lead elsewhere. */
function closeInside(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (!entry.isFile() && !entry.isDirectory() && !entry.isSocket()) continue
    const path = join(directory, entry.name)
    try {
      if (entry.isDirectory()) closeInside(path)
      const { mode } = lstatSync(path)
      if (mode & NOT_OWNER) chmodSync(path, mode & 0o7777 & ~NOT_OWNER)
    } catch {
      // A file that cannot be closed is still protected by the closed DATA_DIR.
    }
  }
}

const openSentence = (dataDir: string, reason: string) =>
  new StartError(
    `DATA_DIR ${dataDir} 对本机其他用户开放，并且无法关闭（${reason}）：请用它的所有者启动，或运行 chmod 700，或换一个 DATA_DIR`,
  )
