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
      for (let isFilled = false; !isFilled; ) {
        const { bavail, bsize } = statfsSync(path)
        try {
          writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - free)))
          isFilled = true
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
          // A store on it wrote meanwhile. What was written of the ballast fills the disk.
          isFilled = free === 0
          if (!isFilled) rmSync(ballast)
        }
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    remove() {
      execFileSync('umount', ['-l', path])
      rmSync(path, { recursive: true })
    },
  }
}
