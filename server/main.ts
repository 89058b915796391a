import './process/private-files.ts'
import { endNow } from './end-now.ts'
import { cacheCompiledSource } from './process/compile-cache.ts'
import { ignoreOutputErrors } from './process/ignore-output-errors.ts'
import { StartError } from './start-error.ts'

// The embedded warehouse uses a thread of libuv's pool for each running query. The pool is made at its first use, so this
// comes before other imports.
process.env.UV_THREADPOOL_SIZE ??= '32'
// Under `node --watch` every worker thread would post what it imports among its own messages.
delete process.env.WATCH_REPORT_DEPENDENCIES

cacheCompiledSource()
ignoreOutputErrors()

const { start } = await import('./process/start.ts')
try {
  await start()
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  endNow(1)
}
