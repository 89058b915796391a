import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Comparison, comparisonOf, comparisonTable, orderOf, type Result, resultIn } from './compare.ts'
import { ROOT, run } from './run.ts'

/** The files of bench/ that are run; the others are their parts. */
const NAMES = [
  'rules',
  'import',
  'identifiers',
  'recompute',
  'tags',
  'users',
  'activities',
  'load',
  'track',
  'profile',
  'browser-hash',
  'start',
  'web',
]
/** Those that measure in a browser. */
const IN_BROWSER = ['identifiers', 'browser-hash', 'web']

const [name, ...args] = process.argv.slice(2)
if (!name || !NAMES.includes(name)) {
  console.error(
    `用法：npm run bench -- <名称> [参数] [--against <旧版本的 commit> --rounds 5]，名称可以是 ${NAMES.join('、')}`,
  )
  process.exit(1)
}
try {
  const comparison = comparisonOf(args)
  process.exitCode = (comparison ? await compare(name, comparison) : await measure(name)) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function measure(name: string): Promise<boolean> {
  return (await prepare(name, ROOT)) && runBench(name, args, ROOT)
}

/** Installs what the benchmark needs before anything is measured. */
function prepare(name: string, root: string): Promise<boolean> {
  return run('node', [join(root, 'boot.mjs'), ...(IN_BROWSER.includes(name) ? ['--test'] : [])], {}, { cwd: root })
}

function runBench(name: string, args: string[], root: string, onOutput?: (text: string) => void): Promise<boolean> {
  const file = join(root, 'bench', `${name}.ts`)
  return run('node', [file, ...args], { UV_THREADPOOL_SIZE: '32' }, { cwd: root, ...(onOutput && { onOutput }) })
}

/** Runs the benchmark of an earlier commit and of this code in turn, and prints the results side by side. */
async function compare(name: string, { commit, rounds, args }: Comparison): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'renqun-bench-old-'))
  try {
    const roots = { old: checkOut(commit, folder), new: ROOT }
    if (!(await prepare(name, roots.old)) || !(await prepare(name, roots.new))) return false
    const results: Record<'old' | 'new', Result[]> = { old: [], new: [] }
    for (let round = 0; round < rounds; round++) {
      for (const version of orderOf(round)) {
        console.log(`\n${version}, round ${round + 1} of ${rounds}`)
        let output = ''
        const isFine = await runBench(name, args, roots[version], (text) => {
          process.stdout.write(text)
          output += text
        })
        if (!isFine) return false
        results[version].push(resultIn(output))
      }
    }
    console.log(
      `\n${name}, medians of ${rounds} rounds; old is ${commit}\n${comparisonTable(results.old, results.new)}`,
    )
    return true
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The files of a commit, with our node_modules if it asks for the same; otherwise its boot.mjs installs its own. */
function checkOut(commit: string, folder: string): string {
  const root = join(folder, 'old')
  const archive = join(folder, 'old.tar')
  mkdirSync(root)
  execFileSync('git', ['archive', '--output', archive, commit], { cwd: ROOT, stdio: 'inherit' })
  execFileSync('tar', ['-xf', archive, '-C', root], { stdio: 'inherit' })
  const lock = (of: string) => readFileSync(join(of, 'package-lock.json'), 'utf8')
  if (lock(root) === lock(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return root
}
