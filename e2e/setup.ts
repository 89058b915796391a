import type { FullConfig } from '@playwright/test'
import { startServer } from './server.ts'

/**
 * One server for all journeys; its address reaches them as `baseURL` by the fixture in test.ts. While a journey is
 * being written E2E_URL may name one that already runs.
 */
export default async function setup(_config: FullConfig) {
  if (process.env.E2E_URL) return () => {}
  const server = await startServer({ DEMO: process.env.E2E_DEMO ?? '0' })
  process.env.E2E_URL = server.url
  process.env.E2E_DATA_DIR = server.dataDir
  return () => server.stop()
}
