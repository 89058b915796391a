import { NodeFS } from '@electric-sql/pglite/nodefs'

type Init = NodeFS['init']
/** Of the engine's own file system, which has no types: what is used here. */
type Engine = { FS: { chmod(path: unknown, mode: number, ...rest: unknown[]): unknown } }

const OWNER_ONLY = 0o700

/**
 * Files of the embedded database that only their owner may read. Its file system sets the mode of each new file itself
 * (0666), so the umask of the process does not count.
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
