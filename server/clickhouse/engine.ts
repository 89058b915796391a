import { readFile } from 'node:fs/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { bind, quote, quoteName, type SqlParams } from './bind.ts'

export type QueryOptions = {
  /** Written into the statement as SETTINGS; the statement itself then has none. */
  settings?: Readonly<Record<string, string | number>>
  /** Names the query for `kill`. */
  comment?: string
  /** An aborted query is stopped in the engine too, and its call rejects. */
  signal?: AbortSignal
}

export type Engine = {
  /** Rows as objects; a 64-bit number that a double cannot hold is an error: ask for its toString(). */
  query<T>(sql: string, params?: SqlParams, options?: QueryOptions): Promise<T[]>
  /** The answer's bytes in a format the statement names last. */
  bytes(sql: string, params?: SqlParams): Promise<Uint8Array>
  command(sql: string, params?: SqlParams, options?: QueryOptions): Promise<void>
  insert(table: string, rows: readonly object[]): Promise<void>
  /** Whether `file()` reads this machine's files; else a file is sent with `insertLines`. */
  readsFiles: boolean
  /** Sends the lines of a file of this machine into a table of one text column; the file fits into memory. */
  insertLines(table: string, path: string): Promise<void>
  /** Stops the running queries of that comment, wherever they run; returns at once. */
  kill(comment: string): Promise<void>
}

/** A few clients of one store; each takes one statement at a time, in the order they were asked. */
export type Pool = Engine & { close(): Promise<void> }

const LONG_INTEGER = /\d{16,}/

function parseRow(line: string): unknown {
  if (!LONG_INTEGER.test(line)) return JSON.parse(line)
  return JSON.parse(line, (key, value, context?: { source?: string }) => {
    if (typeof value === 'number' && /^-?\d+$/.test(context?.source ?? '') && !Number.isSafeInteger(value)) {
      throw new Error(`${key} is ${context?.source}, more than a number holds: select its toString()`)
    }
    return value
  })
}

function withSettings(sql: string, { settings = {}, comment }: QueryOptions): string {
  const all = { ...settings, ...(comment === undefined ? {} : { log_comment: comment }) }
  const written = Object.entries(all).map(
    ([name, value]) => `${name} = ${typeof value === 'number' ? value : quote(value)}`,
  )
  return written.length === 0 ? sql : `${sql}\nSETTINGS ${written.join(', ')}`
}

let signalled = 0

export function openPool(
  clients: readonly ClickHouseClient[],
  killer: (comment: string) => Promise<void>,
  readsFiles = true,
): Pool {
  const free = [...clients]
  const waiting: ((client: ClickHouseClient) => void)[] = []

  let closed = false

  const take = () => {
    const client = free.pop()
    return client ? Promise.resolve(client) : new Promise<ClickHouseClient>((resolve) => waiting.push(resolve))
  }
  const give = (client: ClickHouseClient) => {
    const next = waiting.shift()
    if (next) next(client)
    else free.push(client)
  }
  async function run<T>(work: (client: ClickHouseClient) => Promise<T>): Promise<T> {
    if (closed) throw new Error('the warehouse is closed')
    const client = await take()
    try {
      return await work(client)
    } finally {
      give(client)
    }
  }

  async function runWith<T>(
    options: QueryOptions,
    work: (client: ClickHouseClient, comment?: string) => Promise<T>,
  ): Promise<T> {
    const { signal } = options
    if (!signal) return run((client) => work(client, options.comment))
    const comment = options.comment ?? `call-${process.pid}-${++signalled}`
    return run(async (client) => {
      signal.throwIfAborted()
      const stop = () => void killer(comment).catch((error: unknown) => console.error('查询未能中止', error))
      signal.addEventListener('abort', stop, { once: true })
      try {
        return await work(client, comment)
      } catch (error) {
        signal.throwIfAborted()
        throw error
      } finally {
        signal.removeEventListener('abort', stop)
      }
    })
  }

  return {
    query: <T>(sql: string, params?: SqlParams, options: QueryOptions = {}) =>
      runWith(options, async (client, comment) => {
        const statement = withSettings(bind(sql, params), { ...options, comment })
        const answer = await client.query({ query: statement, format: 'JSONEachRow' })
        const text = await answer.text()
        const lines = text.split('\n')
        if (lines.at(-1) === '') lines.pop()
        // The caller wrote the statement and names its columns' types.
        return lines.map((line) => parseRow(line) as T)
      }),
    bytes: (sql, params) =>
      run(async (client) => {
        const { stream } = await client.exec({ query: bind(sql, params) })
        const chunks: Buffer[] = []
        // A stream without an encoding gives buffers.
        for await (const chunk of stream) chunks.push(chunk as Buffer)
        return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
      }),
    command: (sql, params, options = {}) =>
      runWith(options, async (client, comment) => {
        await client.command({ query: withSettings(bind(sql, params), { ...options, comment }) })
      }),
    async insert(table, rows) {
      const [first] = rows
      if (!first) return
      const columns = Object.keys(first).map(quoteName).join(', ')
      const head = `INSERT INTO ${table} (${columns}) SETTINGS input_format_skip_unknown_fields = 0 FORMAT JSONEachRow\n`
      const body = rows.map((row) => JSON.stringify(row)).join('\n')
      await run((client) => client.command({ query: head + body }))
    },
    readsFiles,
    async insertLines(table, path) {
      const lines = await readFile(path, 'utf8')
      await run((client) => client.command({ query: `INSERT INTO ${table} FORMAT LineAsString\n${lines}` }))
    },
    kill: killer,
    async close() {
      if (closed) return
      closed = true
      // What was asked before is answered first.
      await Promise.all(clients.map(() => take()))
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}
