import { inMemory } from '../scripts/test-disk.ts'
import { template } from '../server/testing/postgres.ts'
import { buildWeb } from './server.ts'

/**
 * Prepares what the workers share: the pages (WEB_BUILD=0 skips their build while a test is being written), a disk in
 * memory, and a migrated database for the servers to start on.
 */
export default async function setup() {
  if (process.env.E2E_URL) return
  const leave = inMemory()
  const [migrated] = await Promise.all([template(), process.env.WEB_BUILD === '0' ? undefined : buildWeb()])
  process.env.E2E_MIGRATED = migrated
  return leave
}
