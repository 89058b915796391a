import { NodeFS } from '@electric-sql/pglite/nodefs'

type Init = NodeFS['init']
/** What is used of the engine's file system, which has no types. */
type Engine = { FS: { chmod(path: unknown, mode: number, ...rest: unknown[]): unknown } }

const OWNER_ONLY = 0o700

/**
 * Makes the files of the embedded database readable for their owner alone. Its file system gives each new file the mode
 * 0666, whatever the umask of the process.
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
