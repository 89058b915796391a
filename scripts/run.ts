import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')

/** Runs a program of our node_modules/.bin in the foreground; returns whether it succeeded. */
export async function run(
  program: string,
  args: string[],
  env: Record<string, string> = {},
  { cwd = ROOT, onOutput }: { cwd?: string; onOutput?: (text: string) => void } = {},
): Promise<boolean> {
  const child = spawn(join(ROOT, 'node_modules', '.bin', program), args, {
    cwd,
    stdio: ['ignore', onOutput ? 'pipe' : 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  })
  child.stdout?.setEncoding('utf8').on('data', (text: string) => onOutput?.(text))
  const pass = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', pass).on('SIGTERM', pass)
  try {
    const [code] = await once(child, 'close')
    return code === 0
  } finally {
    process.off('SIGINT', pass).off('SIGTERM', pass)
  }
}
