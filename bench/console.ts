import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApp } from '../server/app.ts'
import { readSettings } from '../server/config/settings.ts'
import { openRuntime } from '../server/process/runtime.ts'

const PASSWORD = 'a-password-for-the-bench'

/** The console without its pages, in this process and with stores of its own, and the administrator signed in. */
export async function openConsole(settings: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'renqun-bench-'))
  const runtime = await openRuntime(readSettings({ DATA_DIR: dataDir, DEMO: '0', ...settings }))
  const { stores, services } = runtime
  const app = await openApp(stores, services, { webRoot: undefined, logLevel: 'error', callsPerMinute: 1_000_000 })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  await services.viewers.makeFirst(PASSWORD)
  const { token } = await services.sessions.signIn('admin', PASSWORD, { address: 'bench', agent: 'bench' })
  return {
    ...stores,
    services,
    origin,
    dataDir,
    /** The header of a call's session. */
    cookie: `renqun_session=${token}`,

    async close(): Promise<void> {
      await app.close()
      await runtime.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
