import { startClickHouse } from '../server/testing/clickhouse-server.ts'
import { run } from './run.ts'

/**
 * Runs the server's tests on a ClickHouse server: the one at CLICKHOUSE_URL (as a user who may create databases), or
 * one started for them.
 */
const given = process.env.CLICKHOUSE_URL
const server = given ? undefined : await startClickHouse()
const url = given ?? server?.url ?? ''
console.log(`ClickHouse：${url.replace(/:[^:@/]*@/, '@')}`)
try {
  // CLICKHOUSE_URL is for this command; tests have settings of their own.
  const isFine = await run('vitest', ['run', '--project', 'server', ...process.argv.slice(2)], {
    RENQUN_TEST_CLICKHOUSE: url,
    CLICKHOUSE_URL: '',
  })
  process.exitCode = isFine ? 0 : 1
} finally {
  await server?.stop()
}
