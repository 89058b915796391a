import { findPostgres, startPostgres } from '../server/testing/postgres-server.ts'
import { run } from './run.ts'

/** Runs the server's tests on a real Postgres: the one at DATABASE_URL, or one started for them. */
const given = process.env.DATABASE_URL
const bin = given ? undefined : findPostgres()
if (!given && !bin) {
  console.error(
    '没有找到 PostgreSQL：请安装它（Debian：apt-get install postgresql），或用 DATABASE_URL 指向一个可以新建数据库的服务',
  )
  process.exit(1)
}
const server = bin ? await startPostgres(bin) : undefined
const url = given ?? server?.url ?? ''
console.log(`Postgres：${bin ?? url.replace(/:[^:@/]*@/, '@')}`)
try {
  // DATABASE_URL is for this command; tests have settings of their own.
  const isFine = await run('vitest', ['run', '--project', 'server', '--project', 'long', ...process.argv.slice(2)], {
    RENQUN_TEST_POSTGRES: url,
    DATABASE_URL: '',
  })
  process.exitCode = isFine ? 0 : 1
} finally {
  await server?.stop()
}
