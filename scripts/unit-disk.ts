import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { availableMemory } from 'node:process'
import { template } from '../server/testing/postgres.ts'

const MEMORY_DISK = '/dev/shm'
const NAME = /^renqun-unit-(\d+)-/
const GIB = 2 ** 30
/** More than all parallel tests need. */
const ROOM = 4 * GIB

/**
 * Every test file creates stores of its own, with thousands of small files. If memory allows, they are created in memory,
 * where files survive a killed process just as on disk.
 */
export default async function setup() {
  const leave = moveToMemory()
  // Created once here; otherwise each of the first test files in a fresh clone would create it.
  if (!process.env.RENQUN_TEST_POSTGRES) await template()
  return leave
}

function moveToMemory() {
  if (!hasRoom()) return
  sweep()
  const made = mkdtempSync(`${MEMORY_DISK}/renqun-unit-${process.pid}-`)
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
  const probe = `${MEMORY_DISK}/renqun-unit-${process.pid}-probe`
  try {
    mkdirSync(probe)
    rmSync(probe, { recursive: true })
    return true
  } catch {
    return false
  }
}

/** Deletes files left by killed runs. */
function sweep(): void {
  for (const name of readdirSync(MEMORY_DISK)) {
    const pid = NAME.exec(name)?.[1]
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(`${MEMORY_DISK}/${name}`, { recursive: true, force: true })
  }
}
