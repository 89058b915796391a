import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TinyDisk {
  path: string
  /** Fills the disk but for these bytes, by default to the last one. */
  fill(free?: number): void
  empty(): void
  remove(): void
}

/** A disk of a few megabytes; undefined if this process may not mount one. */
export function tinyDisk(megabytes: number): TinyDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'renqun-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    // Not root, or not Linux.
    rmSync(path, { recursive: true })
    return undefined
  }
  const ballast = join(path, 'ballast')
  return {
    path,
    fill(free = 0) {
      const { bavail, bsize } = statfsSync(path)
      writeFileSync(ballast, Buffer.alloc(bavail * bsize - free))
    },
    empty: () => rmSync(ballast, { force: true }),
    remove() {
      execFileSync('umount', ['-l', path])
      rmSync(path, { recursive: true })
    },
  }
}
