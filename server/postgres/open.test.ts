import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { StartError } from '../start-error.ts'
import { testPostgres, truncateAll } from '../testing/postgres.ts'
import { tinyDisk } from '../testing/tiny-disk.ts'
import { DatabaseAway } from './away.ts'
import { openPostgres, refusalOf } from './open.ts'
import { afterCommit, transaction } from './transaction.ts'

let postgres: Awaited<ReturnType<typeof testPostgres>>
beforeAll(async () => {
  postgres = await testPostgres()
})
beforeEach(() => truncateAll(postgres.db))
afterAll(() => postgres.close())

const set = (name: string, value: string) => ({ name, value })

test('an int8 is read as a number, and one beyond the safe integers is refused', async () => {
  const { rows } = await sql<{ one: number; list: number[]; none: number | null }>`
    select 9007199254740991::int8 as one, array[1, null, 3]::int8[] as list, null::int8 as none`.execute(postgres.db)
  expect(rows[0]).toEqual({ one: 9007199254740991, list: [1, null, 3], none: null })
  await expect(sql`select 9007199254740993::int8 as one`.execute(postgres.db)).rejects.toThrow('9007199254740993')
})

test('jsonb is written and read as an object', async () => {
  const detail = { name: '人群 "一"', list: [1, { deep: null }] }
  const { rows } = await sql<{ detail: unknown }>`select ${JSON.stringify(detail)}::jsonb as detail`.execute(
    postgres.db,
  )
  expect(rows[0]?.detail).toEqual(detail)
})

test('concurrent clients get their own answers, also to long messages', async () => {
  const long = 'x'.repeat(200_000)
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const { rows } =
        n % 2
          ? await postgres.pool.query('select $1::int as n', [n])
          : await postgres.pool.query('select $1::int as n, $2::text as long', [n, long])
      return rows[0].n
    }),
  )
  expect(answers).toEqual(Array.from({ length: 60 }, (_, n) => n))
})

test('a transaction that a deadlock ended runs again, three times at most', async () => {
  const deadlock = sql`do $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$`
  const ended: string[] = []
  const endsTimes = (times: number) => {
    let tried = 0
    return transaction(postgres.db, async (tx) => {
      await tx
        .insertInto('setting')
        .values(set(`try ${tried} of ${times}`, '1'))
        .execute()
      afterCommit(() => ended.push(`try ${tried}`))
      if (++tried <= times) await deadlock.execute(tx)
      return tried
    })
  }
  expect(await endsTimes(2)).toBe(3)
  const rows = await postgres.db.selectFrom('setting').select('name').where('name', 'like', 'try %').execute()
  expect(rows).toEqual([{ name: 'try 2 of 2' }])
  expect(ended).toEqual(['try 3'])
  await expect(endsTimes(3)).rejects.toThrow('deadlock detected')
})

test('a failing statement does not affect other clients', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => postgres.pool.query(n % 2 ? 'select no_such_column' : 'select 1 as one')),
  )
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(10)
})

test('a transaction that fails within a text of several statements ends with that text', async () => {
  const text = `begin; insert into setting values ('half', ''); select no_such_column; commit`
  await expect(postgres.pool.query(text)).rejects.toThrow('no_such_column')
  await Promise.all(Array.from({ length: 10 }, () => postgres.pool.query('select 1')))
  expect(await postgres.db.selectFrom('setting').selectAll().execute()).toEqual([])
})

test('transactions of several clients are isolated', async () => {
  await postgres.db.insertInto('setting').values(set('count', '0')).execute()
  await Promise.all(
    Array.from({ length: 20 }, () =>
      transaction(postgres.db, async (tx) => {
        const { value } = await tx
          .selectFrom('setting')
          .select('value')
          .where('name', '=', 'count')
          .forUpdate()
          .executeTakeFirstOrThrow()
        await tx
          .updateTable('setting')
          .set({ value: String(Number(value) + 1) })
          .where('name', '=', 'count')
          .execute()
      }),
    ),
  )
  expect(await postgres.db.selectFrom('setting').selectAll().execute()).toEqual([set('count', '20')])
})

test('a client that disconnects in its transaction leaves nothing behind', async () => {
  const client = await postgres.pool.connect()
  await client.query('begin')
  await client.query(`insert into setting values ('left', 'behind')`)
  client.release(true)
  expect(await postgres.db.selectFrom('setting').selectAll().execute()).toEqual([])
})

test('clients that disconnect at any moment do not block others', async () => {
  const clients = Array.from({ length: 4 }, async (_, n) => {
    for (let round = 0; round < 15; round++) {
      const client = await postgres.pool.connect()
      client.on('error', () => {})
      await client.query('begin')
      const inserting = client.query(`insert into setting values ('leaver', 'x')`).catch(() => {})
      if ((n + round) % 3) await inserting
      if ((n + round) % 2) await pause((n + round) % 5)
      client.release(true)
    }
  })
  const workers = Array.from({ length: 4 }, async (_, n) => {
    for (let round = 0; round < 20; round++) {
      await transaction(postgres.db, async (tx) => {
        await tx
          .insertInto('setting')
          .values(set(`kept ${n} ${round}`, ''))
          .execute()
        await sql`select 1`.execute(tx)
      })
    }
  })
  await Promise.all([...clients, ...workers])
  const names = await postgres.db.selectFrom('setting').select('name').execute()
  expect(names.filter(({ name }) => name === 'leaver')).toEqual([])
  expect(names).toHaveLength(80)
})

describe('inside a transaction', () => {
  const outer = [
    ['a query', () => postgres.db.selectFrom('setting').selectAll().execute()],
    ['another transaction', () => transaction(postgres.db, async () => {})],
    ['another of Kysely’s own', () => postgres.db.transaction().execute(async () => {})],
    ['the pool', async () => postgres.pool.query('select 1')],
    ['a connection', async () => postgres.pool.connect()],
  ] as const

  test.each(outer)('the outer database is refused at once: %s', async (_, use) => {
    await expect(
      transaction(postgres.db, async (tx) => {
        await tx.insertInto('setting').values(set('a', '1')).execute()
        await use()
      }),
    ).rejects.toThrow('use its tx')
    expect(await postgres.db.selectFrom('setting').selectAll().execute()).toEqual([])
  })

  test('work that outlives its transaction may use the database again', async () => {
    let later: Promise<unknown> = Promise.resolve()
    await transaction(postgres.db, async () => {
      later = new Promise((resolve) => setTimeout(resolve, 20)).then(() => sql`select 1`.execute(postgres.db))
    })
    await expect(later).resolves.toBeDefined()
  })

  test('afterCommit callbacks run after a commit and never after a rollback', async () => {
    const calls: string[] = []
    await transaction(postgres.db, async () => {
      afterCommit(() => calls.push('committed'))
      expect(calls).toEqual([])
    })
    await transaction(postgres.db, async () => {
      afterCommit(() => calls.push('rolled back'))
      throw new Error('no')
    }).catch(() => {})
    expect(calls).toEqual(['committed'])
  })
})

test('a database that does not answer is reported in one sentence, without its password', async () => {
  const opening = openPostgres({ databaseUrl: 'postgres://me:secret@127.0.0.1:1/none', dataDir: postgres.dataDir })
  await expect(opening).rejects.toThrow(StartError)
  await expect(opening).rejects.toThrow(
    /^无法连接数据库 postgres:\/\/me@127\.0\.0\.1:1\/none：那里没有程序在监听（.*ECONNREFUSED/,
  )
})

describe('a server that answers but cannot be used is reported in one sentence', () => {
  const message = (type: string, ...parts: (Buffer | string)[]) => {
    const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
    const head = Buffer.alloc(5)
    head.write(type)
    head.writeInt32BE(body.length + 4, 1)
    return Buffer.concat([head, body])
  }
  const short = (value: number) => Buffer.from([value >> 8, value & 255])
  const long = (value: number) => Buffer.concat([short(value >> 16), short(value & 65535)])
  const ready = message('Z', 'I')
  const refusal = (code: string, text: string) => message('E', `SFATAL\0C${code}\0M${text}\0\0`)
  const row = (values: Record<string, string>) => {
    const columns = Object.entries(values)
    const named = columns.map(([name]) =>
      Buffer.concat([Buffer.from(`${name}\0`), long(0), short(0), long(25), short(65535), long(0), short(0)]),
    )
    const given = columns.map(([, value]) => Buffer.concat([long(Buffer.byteLength(value)), Buffer.from(value)]))
    return Buffer.concat([
      message('T', short(columns.length), ...named),
      message('D', short(columns.length), ...given),
      message('C', 'SELECT 1\0'),
      ready,
    ])
  }

  /** A server with just enough of the protocol for a first statement. */
  async function opened(first: Buffer, then = ready): Promise<string> {
    const server = createServer((socket) => {
      socket.once('data', () => {
        socket.write(first)
        socket.on('data', (asked) => asked[0] === 'Q'.charCodeAt(0) && socket.write(then))
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const databaseUrl = `postgres://me:se@cret@127.0.0.1:${port}/renqun`
    const error = await openPostgres({ databaseUrl, dataDir: postgres.dataDir }).catch((reason: Error) => reason)
    server.close()
    expect(error).toBeInstanceOf(StartError)
    return error instanceof Error ? error.message.replace(`:${port}`, '') : ''
  }
  const accepted = Buffer.concat([message('R', long(0)), ready])

  test('a wrong password', async () => {
    expect(await opened(refusal('28P01', 'password authentication failed for user "me"'))).toBe(
      '无法使用数据库 postgres://me@127.0.0.1/renqun：用户名或密码不正确（password authentication failed for user "me"）',
    )
  })

  test('a database that does not exist', async () => {
    expect(await opened(refusal('3D000', 'database "renqun" does not exist'))).toContain('没有这个库，请先建立它')
  })

  test('a version that is too old', async () => {
    expect(await opened(accepted, row({ version: '9.6.24', encoding: 'UTF8' }))).toBe(
      '无法使用数据库 postgres://me@127.0.0.1/renqun：它的版本是 9.6.24，需要 Postgres 13 或更高版本',
    )
  })

  test('an encoding without Chinese', async () => {
    expect(await opened(accepted, row({ version: '15.4', encoding: 'LATIN1' }))).toContain('请另建一个 UTF8 编码的库')
  })

  test('a user who may not create tables', () => {
    const denied = Object.assign(new Error('permission denied for schema public'), { code: '42501' })
    expect(refusalOf(denied, 'postgres://me:secret@h/renqun')?.message).toBe(
      '无法使用数据库 postgres://me@h/renqun：这个用户没有建表所需的权限，请用库的所有者（permission denied for schema public）',
    )
  })
})

test('a database that goes away during a start is reported in one sentence', () => {
  const away = (code: string, said: string) => new DatabaseAway(Object.assign(new Error(said), { code }))
  const messageOf = (error: Error) => refusalOf(error, 'postgres://me:secret@h/renqun')?.message
  expect(messageOf(away('57P03', 'the database system is starting up'))).toBe(
    '启动时与数据库 postgres://me@h/renqun 的连接中断：the database system is starting up',
  )
  expect(messageOf(away('53300', 'too many clients'))).toBe(
    '无法使用数据库 postgres://me@h/renqun：数据库的连接数已满（too many clients）',
  )
})

describe('the embedded database', () => {
  const disk = tinyDisk(4)
  afterAll(() => disk?.remove())

  test.skipIf(!disk)('says when its disk is full', async () => {
    await expect(openPostgres({ dataDir: disk?.path ?? '' })).rejects.toThrow(/^内置数据库无法打开 .*：磁盘空间不足/)
  })

  test('keeps its rows and a private socket, also in a directory with a long path', async () => {
    const dataDir = join(mkdtempSync(join(tmpdir(), 'renqun-')), 'long'.repeat(30))
    mkdirSync(dataDir)
    const first = await openPostgres({ dataDir })
    await sql`create table kept (n int)`.execute(first.db)
    await sql`insert into kept values (7)`.execute(first.db)
    await first.close()
    const second = await openPostgres({ dataDir })
    expect((await sql`select n from kept`.execute(second.db)).rows).toEqual([{ n: 7 }])
    await second.close()
    rmSync(dataDir, { recursive: true })
  })

  test.skipIf(process.env.RENQUN_TEST_POSTGRES)('has a socket that only its owner may open', () => {
    expect(statSync(join(postgres.dataDir, '.s.PGSQL.5432')).mode & 0o777).toBe(0o600)
  })

  test('reports damaged files in one sentence', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'renqun-'))
    mkdirSync(join(dataDir, 'postgres'))
    const { writeFileSync } = await import('node:fs')
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '9\n')
    await expect(openPostgres({ dataDir })).rejects.toThrow(/^内置数据库无法打开/)
    rmSync(dataDir, { recursive: true })
  })

  test('says that files are damaged where the engine only aborts', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'renqun-'))
    await (await openPostgres({ dataDir })).close()
    truncateSync(join(dataDir, 'postgres', 'global', 'pg_control'), 100)
    await expect(openPostgres({ dataDir })).rejects.toThrow(/postgres：数据文件损坏或不完整，请恢复备份$/)
    rmSync(dataDir, { recursive: true })
  })
})
