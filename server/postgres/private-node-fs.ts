import { NodeFS } from '@electric-sql/pglite/nodefs'

type Init = NodeFS['init']
/** The part of the engine's file system that is used here; it has no types. */
type Engine = { FS: { chmod(path: unknown, mode: number, ...rest: unknown[]): unknown } }

const OWNER_ONLY = 0o700

/**
 * Makes the embedded database's files readable for their owner only. Its file system creates files with mode 0666,
 * whatever the umask of the process.
 */
export class PrivateNodeFS extends NodeFS {
  override init(...[pg, options]: Parameters<Init>): ReturnType<Init> {
    return super.init(pg, { ...options, preRun: [...(options.preRun ?? []), keepPrivate] })
  }
}

function keepPrivate({ FS }: Engine) {
  const chmod = FS.chmod.bind(FS)
  FS.chmod = (path, mode, ...rest) => chmod(path, mode & OWNER_ONLY, ...rest)
}
