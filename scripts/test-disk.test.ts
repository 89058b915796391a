import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sweep } from './test-disk.ts'

/** No process has this number. */
const DEAD = 2 ** 30

test('what a killed run left is deleted, a disk that it mounted too; a living run keeps its files', () => {
  const disk = mkdtempSync(join(tmpdir(), 'renqun-sweep-'))
  const [dead, living] = [DEAD, process.pid].map((pid) => join(disk, `renqun-tests-${pid}-Ab12`)) as [string, string]
  const mounted = join(dead, 'renqun-disk-1')
  mkdirSync(mounted, { recursive: true })
  mkdirSync(living)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mounted], { stdio: 'ignore' })
  } catch {
    // Only root may mount; the rest holds without.
  }
  sweep(disk)
  expect([dead, living].map((path) => existsSync(path))).toEqual([false, true])
  rmSync(disk, { recursive: true })
})
