import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * Keeps what Node makes of the source beside what npm installed: the next start need not make it again. It holds for what
 * is imported afterwards; where nothing can be written, nothing is kept.
 */
export const cacheCompiledSource = () =>
  enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'))
