import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './run.ts'

/** Prints every module that a file loads. All are found before its code runs, which fails outside of a thread. */
const LOADED = `
  const { registerHooks } = require('node:module')
  const urls = new Set()
  registerHooks({ resolve(name, context, next) { const found = next(name, context); urls.add(found.url); return found } })
  process.on('exit', () => console.log([...urls].join('\\n')))
  import(process.argv[1]).catch(() => {})`

const WORKERS = globSync('server/**/*-worker.ts', { cwd: ROOT })

test('there are files of worker threads', () => expect(WORKERS.length).toBeGreaterThan(2))

// It would take longer to load than the rest of a thread, and threads are begun for each preview and import.
test.each(WORKERS)('%s loads no zod', (file) => {
  const loaded = execFileSync(process.execPath, ['-e', LOADED, join(ROOT, file)], { encoding: 'utf8' }).split('\n')
  expect(loaded.filter((url) => url.includes(file))).toHaveLength(1)
  expect(loaded.filter((url) => url.includes('/node_modules/zod/'))).toEqual([])
})
