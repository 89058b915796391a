import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const MAIN = join(import.meta.dirname, '..', '..', 'sandbox', 'main.ts')
/** If the sandbox has not reported its address within this, it is killed and restarted. */
const START_WITHIN_MS = 30_000
const STOP_WITHIN_MS = 5_000
/** Pauses before restarts, increasing while it keeps dying. */
const RESTART_MS = [200, 1000, 5000, 30_000] as const
/** After running this long, the next restart uses the shortest pause again. */
const STABLE_AFTER_MS = 60_000

export interface SandboxProcess {
  /** Its address; it keeps its port when it is restarted. */
  url(): Promise<string>
  /** The address of its page of switches, with the key that the page needs. */
  page(): Promise<string>
  close(): Promise<void>
}

/** What the child reports once it listens. */
interface Address {
  url: string
  key: string
}

/** The stand-ins for the ad platforms as a child process, started when first needed and restarted when it dies. */
export function sandboxProcess(dir: string): SandboxProcess {
  let child: ChildProcess | null = null
  let address: Promise<Address> | null = null
  let isClosed = false
  let deaths = 0

  function launch(): Promise<Address> {
    const started = performance.now()
    const made = spawn(process.execPath, [MAIN, dir], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    child = made
    made.once('exit', () => {
      if (child === made) child = null
      if (isClosed) return
      if (performance.now() - started > STABLE_AFTER_MS) deaths = 0
      const wait = RESTART_MS[Math.min(deaths++, RESTART_MS.length - 1)] ?? 1000
      address = pause(wait, undefined, { ref: false }).then(() => (isClosed ? Promise.reject(closed()) : launch()))
      // The next call for the address gets the failure.
      address.catch(() => {})
    })
    return new Promise((resolve, reject) => {
      // Its exit triggers the restart.
      const timer = setTimeout(() => made.kill('SIGKILL'), START_WITHIN_MS)
      timer.unref()
      made.once('error', reject)
      made.once('exit', () => reject(new Error('the sandbox ended before it listened')))
      made.on('message', (message: Address) => {
        clearTimeout(timer)
        // Once the sandbox serves, it must not keep a finished command or test alive.
        made.unref()
        made.channel?.unref()
        resolve(message)
      })
    })
  }

  function started(): Promise<Address> {
    if (isClosed) return Promise.reject(closed())
    if (address === null) {
      address = launch()
      // Whoever asked for the address gets the failure; the process must not end because nobody awaits it yet.
      address.catch(() => {})
    }
    return address
  }

  return {
    url: async () => (await started()).url,
    async page() {
      const { url, key } = await started()
      return `${url}/sandbox?key=${key}`
    },
    async close() {
      isClosed = true
      const ending = child
      if (!ending) return
      const ended = new Promise((done) => ending.once('exit', done))
      // Without database connections nothing else might keep this process alive until then.
      ending.ref()
      ending.disconnect()
      await Promise.race([ended, pause(STOP_WITHIN_MS, undefined, { ref: false })])
      ending.kill('SIGKILL')
    },
  }
}

const closed = () => new Error('the sandbox was closed')
