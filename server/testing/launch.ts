import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const SERVER = join(import.meta.dirname, '..')
export const MAIN = join(SERVER, 'main.ts')
export const CLI = join(SERVER, '..', 'cli', 'renqun.ts')

export type Ended = { code: number | null; out: string; err: string }

export type Launched = {
  child: ChildProcess
  ended: Promise<Ended>
  /** Everything printed so far. */
  printed(): string
}

/** A process of the real program, without web build and demo. */
export function launch(file: string, args: string[], env: Record<string, string>): Launched {
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', DEMO: '0', WEB_BUILD: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  const ended = once(child, 'close').then(([code]): Ended => ({ code, out, err }))
  return { child, ended, printed: () => out + err }
}
