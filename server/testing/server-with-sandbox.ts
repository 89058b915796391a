import { afterAll } from 'vitest'
import { realServer } from './real-server.ts'
import { testSandbox } from './sandbox.ts'

/** The real program and a sandbox that stands in for its platforms, for the tests of one file. `pace`: of waits. */
export async function serverWithSandbox(pace: number, settings: Record<string, string> = {}) {
  const sandbox = await testSandbox()
  const server = realServer({
    PLATFORM_SOCIAL_URL: sandbox.socialUrl,
    PLATFORM_VIDEO_URL: sandbox.videoUrl,
    PLATFORM_COMMERCE_URL: sandbox.videoUrl,
    PUSH_PACE: String(pace),
    ...settings,
  })
  afterAll(async () => {
    await server.close()
    await sandbox.close()
  })
  /** A call of the first admin to the process that runs now. */
  const call: typeof server.admin.get = (...given) => server.admin.get(...given)
  return { server, sandbox, call }
}
