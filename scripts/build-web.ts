import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { ROOT } from './run.ts'

const DIST = join(ROOT, 'dist', 'web')
const STAMP = join(ROOT, 'dist', '.stamp')
/**
 * The pages are built here and then moved into place, so that a killed build leaves nothing incomplete and a running
 * server keeps its files.
 */
const FRESH = join(ROOT, 'dist', `web.${process.pid}`)

/** The script that pages of other sites load. */
const PAGE_SDK = 'analytics.js'

// The pages may be read by others, unlike the files of the server that starts this.
process.umask(0o022)
const wanted = stampOf()
const isFresh = existsSync(join(DIST, 'index.html')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted
if (!isFresh || process.argv.includes('--force')) {
  console.error('正在构建网页……')
  sweep()
  const { build } = await import('vite')
  try {
    mkdirSync(join(ROOT, 'dist'), { recursive: true })
    await build({
      configFile: join(ROOT, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: FRESH, emptyOutDir: true },
    })
    await build({
      configFile: false,
      root: ROOT,
      // It warns of `import.meta` in a part that one file never reaches.
      logLevel: 'error',
      build: {
        outDir: FRESH,
        emptyOutDir: false,
        copyPublicDir: false,
        rolldownOptions: {
          input: join(ROOT, 'web', 'page-sdk', 'main.ts'),
          output: { format: 'iife', entryFileNames: PAGE_SDK, codeSplitting: false },
        },
      },
    })
    compress()
    rmSync(STAMP, { force: true })
    rmSync(DIST, { recursive: true, force: true })
    renameSync(FRESH, DIST)
    writeFileSync(STAMP, wanted)
  } catch (error) {
    console.error(reasonOf(error))
    process.exitCode = 1
  } finally {
    rmSync(FRESH, { recursive: true, force: true })
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '', path = DIST } = error as NodeJS.ErrnoException
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return `没有写入 ${path} 的权限：请换用它的所有者，或换一个目录`
  if (['ENOSPC', 'EDQUOT'].includes(code)) return `${path} 所在的磁盘已满`
  return error.message
}

/** A hash of everything the build is made from. */
function stampOf(): string {
  const hash = createHash('sha256')
  const files = globSync(
    ['web/**/*', 'contract/**/*.ts', 'vite.config.ts', 'package-lock.json', 'scripts/{build-web,web-build/*}.ts'],
    {
      cwd: ROOT,
      withFileTypes: true,
      exclude: (entry) => entry.name === 'node_modules' || /\.test\.tsx?$/.test(entry.name),
    },
  )
  const paths = files.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  for (const path of paths.sort())
    hash
      .update(`${path.slice(ROOT.length)}\0`)
      .update(readFileSync(path))
      .update('\0')
  return hash.digest('hex')
}

/** Writes compressed copies beside each text file, so that the server only has to send them. */
function compress(): void {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
  for (const name of globSync('**/*.{html,js,css,svg,json}', { cwd: FRESH })) {
    const path = join(FRESH, name)
    const text = readFileSync(path)
    writeFileSync(`${path}.br`, brotliCompressSync(text, quality))
    writeFileSync(`${path}.gz`, gzipSync(text))
  }
}

/** Removes what killed builds left behind. */
function sweep(): void {
  for (const left of globSync('dist/web.*', { cwd: ROOT })) {
    try {
      process.kill(Number(left.split('.').at(-1)), 0)
    } catch {
      rmSync(join(ROOT, left), { recursive: true, force: true })
    }
  }
}
