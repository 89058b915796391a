import { createHash } from 'node:crypto'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** The kernel's limit is 107 bytes on Linux and 103 on macOS. */
const LONGEST = 100

/**
 * The socket on which the server that owns this directory listens for the command line. If its path is too long, it is
 * in the temporary directory.
 */
export function socketPath(dataDir: string): string {
  const path = join(dataDir, 'renqun.sock')
  if (Buffer.byteLength(path) <= LONGEST) return path
  const short = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  return join(tmpdir(), `renqun-${userInfo().uid}-${short}`, 'renqun.sock')
}
