import { join } from 'node:path'
import { ROOT, run } from './run.ts'

/** The files of bench/ that are run; the others are their parts. */
const NAMES = ['rules', 'import', 'identifiers']

const [name, ...args] = process.argv.slice(2)
if (!name || !NAMES.includes(name)) {
  console.error(`用法：npm run bench -- <名称> [参数]，名称可以是 ${NAMES.join('、')}`)
  process.exit(1)
}
// Hashing is measured in a browser; a missing one is installed before anything is measured.
if (name === 'identifiers' && !(await run('node', [join(ROOT, 'boot.mjs'), '--test']))) process.exit(1)
const isFine = await run('node', [join(ROOT, 'bench', `${name}.ts`), ...args], { UV_THREADPOOL_SIZE: '32' })
process.exitCode = isFine ? 0 : 1
