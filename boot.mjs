// Runs before npm's scripts, on the machine's own Node (20 or later) and perhaps on a bare clone: Node's own modules only.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** For machines that have no Chromium and where apt may not install one. No other version was tested. */
const CARRIED_CHROMIUM = '@sparticuz/chromium@153.0.0'
/** The headless shell first: the journeys take a quarter less processor time in it. */
const CHROMIUM_PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
/** Without a network npm would retry for minutes and print nothing. */
const PATIENCE = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=3000']
/** Dependencies and the built web app, with room for npm to unpack. */
const INSTALL_BYTES = 2 * 2 ** 30

class BootError extends Error {}

const isMain = process.argv[1] !== undefined && fileURLToPath(import.meta.url) === process.argv[1]
if (isMain) {
  try {
    boot(process.cwd(), { forTests: process.argv.includes('--test') })
  } catch (error) {
    if (!(error instanceof BootError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

/** @param {string} root @param {{ forTests: boolean }} options */
export function boot(root, { forTests }) {
  checkPlatform()
  if (isStale(root)) install(root)
  checkNode(root)
  if (forTests && !findChromium(root)) installChromium(root)
}

function checkPlatform() {
  if (process.platform === 'win32') {
    fail('内置数据仓库不支持 Windows：请在 WSL2 的 Linux 中运行')
  }
  if (!['x64', 'arm64'].includes(process.arch)) fail(`不支持 ${process.arch} 处理器：需要 x64 或 arm64`)
  const isMusl = process.platform === 'linux' && !process.report?.getReport().header.glibcVersionRuntime
  if (isMusl) fail('内置数据仓库需要 glibc：请用 Debian、Ubuntu 等发行版，不支持 Alpine 等使用 musl 的系统')
}

/**
 * npm writes node_modules/.package-lock.json last, so an install that was killed has none. It is compared package by package:
 * it holds only what suits this platform, and may hold more (a benchmark's own packages).
 * @param {string} root
 */
export function isStale(root) {
  const wanted = readLock(join(root, 'package-lock.json'))
  const installed = readLock(join(root, 'node_modules', '.package-lock.json'))
  if (!wanted || !installed) return true
  const omitsDev = omitted('dev')
  return Object.entries(wanted).some(([path, want]) => {
    if (path === '') return false
    const has = installed[path]
    if (has) return has.version !== want.version || has.integrity !== want.integrity
    return !want.optional && !(want.dev && omitsDev) && !want.peer
  })
}

/** @param {string} kind */
function omitted(kind) {
  const omit = process.env.npm_config_omit ?? ''
  return omit.split(/[\s,]+/).includes(kind)
}

/** @param {string} path @returns {Record<string, {version?: string, integrity?: string, optional?: boolean, dev?: boolean, peer?: boolean}> | undefined} */
function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return undefined
  }
}

/** @param {string} root */
function install(root) {
  checkSpace(root)
  console.error('正在安装依赖（首次约 1 分钟）……')
  // Removed first: an install that is killed halfway must not look finished because an older one was.
  try {
    rmSync(join(root, 'node_modules', '.package-lock.json'), { force: true })
  } catch (error) {
    fail(reasonOf(String(error)))
  }
  npm(root, ['install', '--no-save', '--loglevel=error'])
  if (isStale(root)) fail('依赖没有安装完整：请删除 node_modules 后再试')
}

/** @param {string} root */
function checkSpace(root) {
  const { bavail, bsize } = statfsSync(root)
  const free = bavail * bsize
  if (free < INSTALL_BYTES) {
    fail(`磁盘空间不足：安装需要 2 GB，${root} 所在的磁盘只剩 ${(free / 2 ** 30).toFixed(1)} GB`)
  }
}

/**
 * npm runs on the Node that runs this file: another one may come first in PATH.
 * @param {string} cwd @param {string[]} args
 */
function npm(cwd, args) {
  const cli = process.env.npm_execpath
  const [command, first] = cli && /npm-cli\.[cm]?js$/.test(cli) ? [process.execPath, [cli]] : ['npm', []]
  const env = { ...process.env }
  // Set by an outer npm for its own run; an install of the development packages must not inherit them.
  delete env.NODE_ENV
  const done = spawnSync(command, [...first, ...args, ...PATIENCE], {
    cwd,
    env,
    stdio: ['ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
  })
  if (done.status === 0) return
  if (done.error && /** @type {NodeJS.ErrnoException} */ (done.error).code === 'ENOENT') {
    fail('找不到 npm：请安装 Node.js 20 或更高版本（自带 npm）')
  }
  if (done.signal) fail('安装被中断；再次运行会接着装')
  fail(reasonOf(done.stderr ?? ''))
}

/** A sentence for npm's output; an output that we do not know is returned as it is. @param {string} output */
export function reasonOf(output) {
  if (/ENOSPC|no space left/i.test(output)) return '安装失败：磁盘已满，请清理后再试'
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ECONNRESET|CERT|network/i.test(output)) {
    return '安装失败：连不上 npm 仓库，请检查网络或代理，也可用 npm config set registry 换一个镜像'
  }
  if (/EACCES|EPERM|EROFS/.test(output)) return '安装失败：没有写入这个目录的权限，请换用它的所有者，或换一个目录'
  return `安装失败：\n${output.trim()}`
}

/** Node 24 is installed as a package on Linux only; other systems use the machine's own. @param {string} root */
function checkNode(root) {
  if (existsSync(join(root, 'node_modules', '.bin', 'node'))) return
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 18)) return
  fail(`需要 Node.js 22.18 或更高版本（现在是 ${process.versions.node}）：请从 https://nodejs.org 安装 24 版`)
}

/**
 * The Chromium of this machine, or the one that was installed beside the dependencies.
 * @param {string} root @returns {{ path: string } | { carried: string } | undefined}
 */
export function findChromium(root) {
  const named = process.env.CHROMIUM_PATH
  if (named) return { path: named }
  const path = CHROMIUM_PATHS.find((one) => existsSync(one))
  if (path) return { path }
  const entry = join(carriedFolder(root), 'node_modules', '@sparticuz', 'chromium', 'package.json')
  if (!existsSync(entry)) return undefined
  return { carried: createRequire(entry).resolve('@sparticuz/chromium') }
}

/** @param {string} root */
function carriedFolder(root) {
  return join(root, 'node_modules', '.cache', 'chromium')
}

/** @param {string} root */
function installChromium(root) {
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.error('正在安装 Chromium（浏览器测试用）……')
    if (installWithApt()) return
  }
  if (process.platform !== 'linux') {
    fail('浏览器测试需要 Chrome 或 Chromium：请安装它，或用 CHROMIUM_PATH 指出它的位置')
  }
  console.error('正在下载 npm 所带的 Chromium（浏览器测试用）……')
  const folder = carriedFolder(root)
  mkdirSync(folder, { recursive: true })
  npm(root, ['install', '--no-save', '--no-package-lock', '--loglevel=error', '--prefix', folder, CARRIED_CHROMIUM])
  if (!findChromium(root)) fail('Chromium 没有安装成功：请自行安装，或用 CHROMIUM_PATH 指出它的位置')
}

/** A browser and a font for Chinese. A new machine's apt-get may need an update before it knows any package. */
function installWithApt() {
  const install = (/** @type {string} */ browser) =>
    apt('install', '-y', '--no-install-recommends', browser, 'fonts-noto-cjk')
  if (install('chromium-headless-shell')) return true
  apt('update')
  return install('chromium-headless-shell') || install('chromium')
}

/** @param {string[]} args */
function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'ignore'] }).status === 0
}

/** @param {string} sentence @returns {never} */
function fail(sentence) {
  throw new BootError(sentence)
}
