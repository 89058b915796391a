import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * Caches compiled source beside the installed packages, so that the next start is faster. Applies to later imports; if the
 * cache cannot be written, nothing is cached.
 */
export const cacheCompiledSource = () =>
  enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'))
