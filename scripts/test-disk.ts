import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { availableMemory } from 'node:process'

const MEMORY_DISK = '/dev/shm'
const NAME = /^renqun-tests-(\d+)-/
const GIB = 2 ** 30
/** More than all parallel tests need. */
const ROOM = 4 * GIB

/**
 * Test files and browsers create stores and profiles of their own, with thousands of small files. If memory allows, what
 * is made in TMPDIR from now on is made in memory, where files survive a killed process just as on disk. Returns what
 * ends this.
 */
export function inMemory() {
  if (!hasRoom()) return
  sweep()
  const made = mkdtempSync(`${MEMORY_DISK}/renqun-tests-${process.pid}-`)
  const before = process.env.TMPDIR
  // On disk, since the next run uses it again.
  process.env.RENQUN_TEST_KEPT = tmpdir()
  process.env.TMPDIR = made
  return () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(made, { recursive: true, force: true })
  }
}

function hasRoom(): boolean {
  if (process.platform !== 'linux' || !existsSync(MEMORY_DISK)) return false
  const { bavail, bsize } = statfsSync(MEMORY_DISK)
  if (bavail * bsize < ROOM || availableMemory() < 2 * ROOM) return false
  const probe = `${MEMORY_DISK}/renqun-tests-${process.pid}-probe`
  try {
    mkdirSync(probe)
    rmSync(probe, { recursive: true })
    return true
  } catch {
    return false
  }
}

/** Deletes files left by killed runs. What cannot be deleted only takes room, so it stops no run. */
export function sweep(disk = MEMORY_DISK): void {
  for (const name of readdirSync(disk)) {
    const pid = NAME.exec(name)?.[1]
    if (!pid || existsSync(`/proc/${pid}`)) continue
    const left = join(disk, name)
    try {
      for (const mounted of mountsBelow(left)) execFileSync('umount', ['-l', mounted], { stdio: 'ignore' })
      rmSync(left, { recursive: true, force: true })
    } catch (error) {
      console.error(`${left} of a killed run could not be deleted`, error)
    }
  }
}

/** The disks that tests of a full disk mounted there. */
const mountsBelow = (directory: string): string[] =>
  readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ')[1] ?? [])
    .filter((path) => path.startsWith(`${directory}/`))
