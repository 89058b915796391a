import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { openApp } from '../app.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import { loadDemo } from '../demo/demo.ts'
import { endNow } from '../end-now.ts'
import { StartError } from '../start-error.ts'
import { openCliSocket } from './cli-socket.ts'
import { openRuntime, type Runtime } from './runtime.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const WEB_ROOT = join(ROOT, 'dist', 'web')

/** A stop waits at most this long for calls in flight. */
const STOP_WITHIN_MS = 45_000

/** Opens everything, announces the address only once it works, and runs until a signal. */
export async function start(): Promise<void> {
  const settings = readSettings(process.env)
  const stop = stopSignal()
  const stopped = once(stop, 'abort')
  // Checked before opening the stores: otherwise a first start whose port is in use creates an admin whose password
  // nobody sees.
  if (settings.port !== 0) await probe(settings)
  const build = buildWeb(settings)
  stop.addEventListener('abort', build.stop)
  const runtime = await openRuntime(settings).catch(async (error) => {
    build.stop()
    throw error
  })
  const isStopped = await Promise.race([stopped.then(() => true), build.done.then(() => false)]).catch(
    async (error) => {
      await runtime.close()
      throw error
    },
  )
  if (isStopped) {
    await runtime.close()
    return leave()
  }
  const { stores, services } = runtime
  const fault = await services.viewers.firstPasswordFault(settings.adminPassword)
  if (fault !== null) {
    await runtime.close()
    throw new StartError(`设置 ADMIN_PASSWORD 不正确：${fault}`)
  }
  // Calls to a platform wait for the sandbox; if it does not start, everything else still works.
  services.platformUrls
    .start()
    .then((page) => page && console.log(`没有设置平台地址的广告平台由沙箱代替：${page}`))
    .catch((error) => console.error('沙箱没有启动，稍后会再试', error))
  const socket = await openCliSocket(runtime)
  const app = await openApp(stores, services, { webRoot: settings.role === 'worker' ? undefined : WEB_ROOT })
  try {
    await app.listen({ port: settings.port, host: settings.host })
  } catch (error) {
    await socket.close()
    await runtime.close()
    throw listenError(error, settings)
  }
  const url = settings.publicUrl ?? addressOf(app.server.address(), settings.host)
  runtime.setAddress(url)
  console.log(signInHint(await services.viewers.makeFirst(settings.adminPassword)))
  // After the password is printed: an interrupted demo is loaded again, but a password is not printed again.
  await withDemo(runtime, stop)
  if (!stop.aborted) {
    console.log(`人群已启动：${url}`)
    if (settings.role !== 'worker') {
      // Only faster first answers depend on it.
      services.activities.warm(stop).catch((error) => stop.aborted || console.error('活动的合计没有提前读取', error))
    }
    await stopped
  }
  setTimeout(() => {
    console.error('有工作没有在时限内完成；下次启动会接着做')
    endNow(1)
  }, STOP_WITHIN_MS).unref()
  await Promise.all([app.close(), socket.close()])
  await runtime.close()
  leave()
}

function leave(): never {
  console.log('已停止')
  process.exit(0)
}

/** Loads the demo if it is due. If that fails, the console still serves and the next start tries again. */
async function withDemo(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const { demo, role } = runtime.stores.settings
  // The demo needs jobs, which another process runs.
  if (role === 'web') return
  let lastStage = ''
  try {
    await loadDemo(runtime, {
      wanted: demo,
      signal,
      progress: (_, stage) => {
        if (stage !== lastStage) console.log(`示例数据：${stage}……`)
        lastStage = stage
      },
    })
  } catch (error) {
    if (!signal.aborted) console.error('示例数据没有生成成功，下次启动会重新生成', error)
  }
}

/** npm forwards a Ctrl-C that the terminal has also sent to this process; signals this close together count as one. */
const ONE_PRESS_MS = 1000

/** The first signal asks for a stop; a later one stops at once. */
function stopSignal(): AbortSignal {
  const stop = new AbortController()
  let firstAt = 0
  const onSignal = (name: NodeJS.Signals) => {
    if (stop.signal.aborted) {
      if (performance.now() - firstAt > ONE_PRESS_MS) endNow(130)
      return
    }
    firstAt = performance.now()
    console.log(`收到 ${name}，正在完成进行中的工作……`)
    stop.abort()
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  return stop.signal
}

async function probe(settings: Settings): Promise<void> {
  const server = createServer()
  try {
    server.listen({ port: settings.port, host: settings.host })
    await once(server, 'listening')
  } catch (error) {
    throw listenError(error, settings)
  }
  server.close()
  await once(server, 'close')
}

function listenError(error: unknown, { port, host }: Settings): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return new StartError(
      `端口 ${port} 已被占用：请停止占用它的程序，或用 PORT 换一个端口，例如 PORT=${port + 1} npm start`,
    )
  }
  if (code === 'EACCES') return new StartError(`没有权限使用端口 ${port}：请用 PORT 换一个 1024 以上的端口`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new StartError(`设置 HOST 不正确：本机没有地址 ${host}`)
  }
  return error
}

/** Builds the pages in a process of its own while the stores open; does nothing if the build is up to date. */
function buildWeb({ role }: Settings): { done: Promise<void>; stop(): void } {
  // `npm run dev` serves the pages from source.
  if (role === 'worker' || process.env.WEB_BUILD === '0') return { done: Promise.resolve(), stop: () => {} }
  const build = spawn(process.execPath, [join(ROOT, 'scripts', 'build-web.ts')], { stdio: 'inherit', cwd: ROOT })
  const done = once(build, 'exit').then(([code]) => {
    if (code === null) throw new StartError('网页的构建被中断')
    if (code !== 0) throw new StartError('网页没有构建成功，原因见上')
  })
  // A rejection is handled where `done` is awaited; until then it must not count as unhandled.
  done.catch(() => {})
  return { done, stop: () => build.kill() }
}

function addressOf(address: ReturnType<ReturnType<typeof createServer>['address']>, host: string): string {
  const port = typeof address === 'object' && address ? address.port : 0
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

type FirstViewer = Awaited<ReturnType<Runtime['services']['viewers']['makeFirst']>>

function signInHint(made: FirstViewer): string {
  const resetHint = '忘记密码可运行 npm run renqun -- reset-password'
  if (made === null) return `用已有的账号登录；${resetHint}`
  if (made.isGiven) return `首次登录：用户名 admin，密码为 ADMIN_PASSWORD 所设；${resetHint}`
  return `首次登录：用户名 admin，密码 ${made.password}（只显示这一次；${resetHint}）`
}
