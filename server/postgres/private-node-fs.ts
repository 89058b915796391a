import { closeSync, fsyncSync, openSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Init = NodeFS['init']
/** An open file or directory of the engine; `nfd` is its descriptor on this machine, which directories have none of. */
type Stream = { nfd?: number; node: unknown }
/** The part of the engine's file system that is used here; it has no types. */
type Engine = {
  FS: {
    chmod(path: unknown, mode: number, ...rest: unknown[]): unknown
    filesystems: {
      NODEFS: { realPath(node: unknown): string; stream_ops: { fsync?(stream: Stream): void } }
    }
  }
}

const OWNER_ONLY = 0o700

/**
 * Parameters with which a commit is on the disk before it is answered. By default the engine leaves that to the system
 * (`-F`), and a power failure would take what was acknowledged. It does not sync for `fdatasync`.
 */
export const SYNCED = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...['-c', 'wal_sync_method=fsync'],
]

/**
 * Makes the embedded database's files readable for their owner only, and has them reach the disk when the engine asks for
 * it. Its file system creates files with mode 0666, whatever the umask of the process, and ignores a sync.
 */
export class PrivateNodeFS extends NodeFS {
  override init(...[pg, options]: Parameters<Init>): ReturnType<Init> {
    return super.init(pg, { ...options, preRun: [...(options.preRun ?? []), keepPrivate, syncToDisk] })
  }
}

function keepPrivate({ FS }: Engine) {
  const chmod = FS.chmod.bind(FS)
  FS.chmod = (path, mode, ...rest) => chmod(path, mode & OWNER_ONLY, ...rest)
}

function syncToDisk({ FS }: Engine) {
  const { NODEFS } = FS.filesystems
  NODEFS.stream_ops.fsync = ({ nfd, node }) => {
    if (nfd !== undefined) return fsyncSync(nfd)
    const directory = openSync(NODEFS.realPath(node), 'r')
    try {
      fsyncSync(directory)
    } finally {
      closeSync(directory)
    }
  }
}
