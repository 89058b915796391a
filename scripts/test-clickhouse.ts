import { rightsOn } from '../server/clickhouse/rights.ts'
import { startClickHouse } from '../server/testing/clickhouse-server.ts'
import { TEST_DATABASES } from '../server/testing/warehouse.ts'
import { run } from './run.ts'

/**
 * Runs the server's tests on a ClickHouse server: the one at CLICKHOUSE_URL (as a user who may create databases), or
 * one started for them, as a user with exactly the rights that a start checks.
 */
const USER = 'console'
const given = process.env.CLICKHOUSE_URL
const grants = rightsOn(`${TEST_DATABASES}*.*`).map((right) => `GRANT ${right}`)
const server = given ? undefined : await startClickHouse({ users: { [USER]: grants } })
const url = given ?? server?.url ?? ''
console.log(`ClickHouse：${url.replace(/:[^:@/]*@/, '@')}`)
try {
  // CLICKHOUSE_URL is for this command; tests have settings of their own.
  const isFine = await run('vitest', ['run', '--project', 'server', '--project', 'long', ...process.argv.slice(2)], {
    RENQUN_TEST_CLICKHOUSE: url,
    CLICKHOUSE_URL: '',
    ...(server && { RENQUN_TEST_CLICKHOUSE_USER: USER }),
  })
  process.exitCode = isFine ? 0 : 1
} finally {
  await server?.stop()
}
