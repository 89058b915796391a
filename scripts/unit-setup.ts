import { template } from '../server/testing/postgres.ts'
import { inMemory } from './test-disk.ts'

export default async function setup() {
  const leave = inMemory()
  // Created once here; otherwise each of the first test files in a fresh clone would create it.
  if (!process.env.RENQUN_TEST_POSTGRES) await template()
  return leave
}
