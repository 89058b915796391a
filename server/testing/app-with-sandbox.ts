import { afterAll } from 'vitest'
import { testSandbox } from './sandbox.ts'
import { testApp } from './test-app.ts'

/** The whole server with short push delays, and the stand-in for both platforms; closed after the tests of the file. */
export async function testAppWithSandbox(env: Record<string, string> = {}) {
  const sandbox = await testSandbox()
  const app = await testApp({
    PLATFORM_SOCIAL_URL: sandbox.socialUrl,
    PLATFORM_VIDEO_URL: sandbox.videoUrl,
    PLATFORM_COMMERCE_URL: sandbox.videoUrl,
    PUSH_PACE: '0.02',
    ...env,
  })
  afterAll(async () => {
    await app.close()
    await sandbox.close()
  })
  return { app, sandbox }
}
