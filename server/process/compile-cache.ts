import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/** Beside the installed packages. */
const DIRECTORY = join(import.meta.dirname, '../../node_modules/.cache/compiled')

/**
 * Caches compiled source, so that the next start is faster. Applies to later imports, and to worker threads and child
 * processes begun later, which take the directory from the environment; if the cache cannot be written, nothing is cached.
 */
export function cacheCompiledSource(): void {
  enableCompileCache(DIRECTORY)
  process.env.NODE_COMPILE_CACHE ??= DIRECTORY
}
