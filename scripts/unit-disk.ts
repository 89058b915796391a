import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { availableMemory } from 'node:process'
import { template } from '../server/testing/postgres.ts'

const MEMORY_DISK = '/dev/shm'
const NAME = /^renqun-unit-(\d+)-/
const GIB = 2 ** 30
/** More than all tests that run at once need. */
const ROOM = 4 * GIB

/**
 * Every test file makes stores of its own, thousands of small files: where there is room they are made in memory. What
 * survives a killed process survives it there too.
 */
export default async function setup() {
  const leave = moveToMemory()
  // Made once here: in a fresh clone the first test files would each make it.
  if (!process.env.RENQUN_TEST_POSTGRES) await template()
  return leave
}

function moveToMemory() {
  if (!hasRoom()) return
  sweep()
  const made = mkdtempSync(`${MEMORY_DISK}/renqun-unit-${process.pid}-`)
  const before = process.env.TMPDIR
  // Stays on disk, since the next run uses it again.
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

/** Removes what killed runs left behind. */
function sweep(): void {
  for (const name of readdirSync(MEMORY_DISK)) {
    const pid = NAME.exec(name)?.[1]
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(`${MEMORY_DISK}/${name}`, { recursive: true, force: true })
  }
}
