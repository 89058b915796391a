import './private-files.ts'
import { keepCompiled } from './compiled.ts'
import { StartError } from './start-error.ts'
import { goOnUnheard } from './unheard.ts'

// The embedded warehouse holds a thread of libuv's pool for each running query. The pool is made at its first use, so this
// comes before anything else is imported.
process.env.UV_THREADPOOL_SIZE ??= '32'
// Under `node --watch` every worker thread would post what it imports among its own messages.
delete process.env.WATCH_REPORT_DEPENDENCIES

keepCompiled()
goOnUnheard()

const { start } = await import('./start.ts')
try {
  await start()
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
}
