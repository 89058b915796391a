import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, run } from './run.ts'

/** A benchmark is a file of bench/ that says how it is used: the others there are its parts. */
const [name, ...args] = process.argv.slice(2)
const names = globSync('*.ts', { cwd: join(ROOT, 'bench') })
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((file) => ['rules', 'import'].includes(file))

if (!name || !names.includes(name) || !existsSync(join(ROOT, 'bench', `${name}.ts`))) {
  console.error(`用法：npm run bench -- <名称> [参数]，名称可以是 ${names.join('、')}`)
  process.exit(1)
}
const isFine = await run('node', [join(ROOT, 'bench', `${name}.ts`), ...args], { UV_THREADPOOL_SIZE: '32' })
process.exitCode = isFine ? 0 : 1
