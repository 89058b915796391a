import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findChromium, isStale, reasonOf } from '../boot.mjs'
import { ROOT } from './run.ts'

const made: string[] = []
afterAll(() => {
  for (const root of made) rmSync(root, { recursive: true, force: true })
})

const LOCK = {
  '': { version: '0.1.0' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/b': { version: '2.0.0', integrity: 'sha512-b', dev: true },
  'node_modules/c-win32': { version: '3.0.0', integrity: 'sha512-c', optional: true },
}
type Packages = Record<string, { version: string; integrity?: string }>
const INSTALLED: Packages = { 'node_modules/a': LOCK['node_modules/a'], 'node_modules/b': LOCK['node_modules/b'] }

/** A clone whose npm is the program in `npm`, so that no registry is asked. */
function clone({ installed, npm }: { installed?: Packages; npm?: string } = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'renqun-boot-'))
  made.push(root)
  cpSync(join(ROOT, 'boot.mjs'), join(root, 'boot.mjs'))
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: LOCK }))
  if (installed) write(root, installed)
  if (npm !== undefined) writeFileSync(join(root, 'npm-cli.mjs'), npm)
  return root
}

function write(root: string, packages: Packages): void {
  mkdirSync(join(root, 'node_modules', '.bin'), { recursive: true })
  writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }))
}

function bootIn(root: string) {
  const env = { PATH: process.env.PATH, npm_execpath: join(root, 'npm-cli.mjs') }
  return spawnSync(process.execPath, ['boot.mjs'], { cwd: root, env, encoding: 'utf8' })
}

const INSTALLS = `
import { mkdirSync, writeFileSync, appendFileSync } from 'node:fs'
appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n')
mkdirSync('node_modules', { recursive: true })
writeFileSync('node_modules/.package-lock.json', ${JSON.stringify(JSON.stringify({ packages: INSTALLED }))})
`

test.each<[string, Packages | undefined, boolean]>([
  ['nothing', undefined, true],
  ['what the lockfile says, but for other platforms', INSTALLED, false],
  ['more than the lockfile says', { ...INSTALLED, 'node_modules/roaring': { version: '2.0.0' } }, false],
  ['an older version', { ...INSTALLED, 'node_modules/a': { version: '0.9.0', integrity: 'sha512-old' } }, true],
  [
    'other bytes of the same version',
    { ...INSTALLED, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-x' } },
    true,
  ],
  ['a package less', { 'node_modules/a': LOCK['node_modules/a'] }, true],
])('with %s installed, an install is due: %o → %s', (_, installed, due) => {
  expect(isStale(clone(installed ? { installed } : {}))).toBe(due)
})

test('a fresh clone is installed once, from the lockfile, and prints a line about it', () => {
  const root = clone({ npm: INSTALLS })
  expect(bootIn(root)).toMatchObject({ status: 0, stderr: '正在安装依赖（首次约 1 分钟）……\n' })
  expect(bootIn(root)).toMatchObject({ status: 0, stderr: '' })
  expect(readFileSync(join(root, 'calls'), 'utf8')).toMatch(/^install --no-save --loglevel=error .*\n$/)
})

test('an install that was killed is repeated', () => {
  const root = clone({ npm: INSTALLS, installed: INSTALLED })
  writeFileSync(join(root, 'npm-cli.mjs'), 'process.kill(process.pid, "SIGKILL")')
  write(root, { ...INSTALLED, 'node_modules/a': { version: '0.9.0' } })
  const killed = bootIn(root)
  expect(killed.status).toBe(1)
  expect(killed.stderr).toContain('安装被中断')
  expect(existsSync(join(root, 'node_modules', '.package-lock.json'))).toBe(false)
  writeFileSync(join(root, 'npm-cli.mjs'), INSTALLS)
  expect(bootIn(root).status).toBe(0)
})

test('files that an install has no permission to remove are reported in a sentence', () => {
  const root = clone({ npm: INSTALLS })
  // Root may remove every file, but a directory in the file's place makes it fail as well.
  mkdirSync(join(root, 'node_modules', '.package-lock.json'), { recursive: true })
  const done = bootIn(root)
  expect(done.status).toBe(1)
  expect(done.stderr).toContain('安装失败')
  expect(done.stderr).not.toContain(' at ')
})

test('an install that exits with 0 but is incomplete fails', () => {
  const done = bootIn(clone({ npm: '' }))
  expect(done).toMatchObject({ status: 1 })
  expect(done.stderr).toContain('依赖没有安装完整')
})

test.each([
  ['npm error code ENOTFOUND\nnpm error getaddrinfo ENOTFOUND registry.npmjs.org', '连不上 npm 仓库'],
  ['npm error code SELF_SIGNED_CERT_IN_CHAIN', '连不上 npm 仓库'],
  ['npm error code ENOSPC', '磁盘已满'],
  ["npm error Error: EACCES: permission denied, mkdir '/opt/renqun/node_modules'", '没有写入这个目录的权限'],
  ['npm error something else', 'npm error something else'],
])('the reason why npm failed is reported: %s', (output, sentence) => {
  expect(reasonOf(output)).toContain(sentence)
  const root = clone({ npm: `console.error(${JSON.stringify(output)}); process.exit(1)` })
  const done = bootIn(root)
  expect(done.status).toBe(1)
  expect(done.stderr).toContain(sentence)
  expect(done.stderr).not.toContain('at ')
})

test('a Chromium named in the environment takes precedence', () => {
  process.env.CHROMIUM_PATH = '/opt/browser'
  expect(findChromium(ROOT)).toEqual({ path: '/opt/browser' })
  delete process.env.CHROMIUM_PATH
})
