import { open } from 'node:fs/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { bind, quote, quoteName, type SqlParams } from './bind.ts'
import { engineError, isWarehouseAway } from './engine-error.ts'
import type { OutageLog } from './outage-log.ts'

export type QueryOptions = {
  /** Appended to the statement as SETTINGS, so the statement must have none of its own. */
  settings?: Readonly<Record<string, string | number>>
  /** Names the query for `kill`. */
  comment?: string
  /** An aborted query is stopped in the engine too, and its call rejects. */
  signal?: AbortSignal
}

/** Its calls throw an EngineError when the statement fails. */
export type Engine = {
  /** Rows as objects. A 64-bit number that a double cannot hold is an error: select its toString(). */
  query<T>(sql: string, params?: SqlParams, options?: QueryOptions): Promise<T[]>
  /** The answer's bytes, in the format at the end of the statement. */
  bytes(sql: string, params?: SqlParams): Promise<Uint8Array>
  command(sql: string, params?: SqlParams, options?: QueryOptions): Promise<void>
  insert(table: string, rows: readonly object[]): Promise<void>
  /** Whether `file()` reads this machine's files, as in the embedded engine. For a server, use `insertLines`. */
  readsFiles: boolean
  /** Streams the lines of a local file into a table with one text column. */
  insertLines(table: string, path: string): Promise<void>
  /** Stops all running queries with this comment, without waiting for their end. */
  kill(comment: string): Promise<void>
}

/** A few clients of one store. Each runs one statement at a time; statements start in the order of the calls. */
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
  outages?: OutageLog,
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
  async function run<T>(work: (client: ClickHouseClient) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (closed) throw new Error('the warehouse is closed')
    const client = await take()
    try {
      signal?.throwIfAborted()
      return await sent(() => work(client))
    } finally {
      give(client)
    }
  }

  /** Only errors thrown by the client say something about the engine. */
  async function sent<T>(work: () => Promise<T>): Promise<T> {
    const lossesBefore = outages?.losses() ?? 0
    try {
      const answer = await work()
      outages?.answered(lossesBefore)
      return answer
    } catch (cause) {
      const error = engineError(cause, outages ? 'server' : 'embedded')
      if (error.code === 'away') outages?.lost(cause)
      else outages?.answered(lossesBefore)
      throw error
    }
  }

  async function runWith<T>(
    options: QueryOptions,
    work: (client: ClickHouseClient, comment?: string) => Promise<T>,
  ): Promise<T> {
    const { signal } = options
    if (!signal) return run((client) => work(client, options.comment))
    const comment = options.comment ?? `call-${process.pid}-${++signalled}`
    const stop = () =>
      void killer(comment).catch((error: unknown) => {
        if (!isWarehouseAway(error)) console.error('查询未能中止', error)
      })
    try {
      return await run((client) => {
        signal.addEventListener('abort', stop, { once: true })
        return work(client, comment)
      }, signal)
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  return {
    async query<T>(sql: string, params?: SqlParams, options: QueryOptions = {}) {
      const bound = bind(sql, params)
      const text = await runWith(options, async (client, comment) => {
        const answer = await client.query({
          query: withSettings(bound, { ...options, comment }),
          format: 'JSONEachRow',
        })
        return answer.text()
      })
      const lines = text.split('\n')
      if (lines.at(-1) === '') lines.pop()
      // The caller wrote the statement, so it knows the types of the columns.
      return lines.map((line) => parseRow(line) as T)
    },
    async bytes(sql, params) {
      const query = bind(sql, params)
      return run(async (client) => {
        const { stream } = await client.exec({ query })
        const chunks: Buffer[] = []
        // A stream without an encoding gives buffers.
        for await (const chunk of stream) chunks.push(chunk as Buffer)
        return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
      })
    },
    async command(sql, params, options = {}) {
      const bound = bind(sql, params)
      await runWith(options, (client, comment) =>
        client.command({ query: withSettings(bound, { ...options, comment }) }),
      )
    },
    async insert(table, rows) {
      const [first] = rows
      if (!first) return
      const columns = Object.keys(first).map(quoteName).join(', ')
      const head = `INSERT INTO ${table} (${columns}) SETTINGS input_format_skip_unknown_fields = 0 FORMAT JSONEachRow\n`
      const body = rows.map((row) => JSON.stringify(row)).join('\n')
      await run((client) => client.command({ query: head + body }))
    },
    readsFiles: outages === undefined,
    async insertLines(table, path) {
      const file = await open(path)
      const lines = file.createReadStream()
      // Without a listener, a read error of the file would end the process.
      lines.on('error', () => {})
      try {
        await run(async (client) => {
          const { stream } = await client.exec({ query: `INSERT INTO ${table} FORMAT LineAsString`, values: lines })
          stream.resume()
        })
      } catch (error) {
        throw lines.errored ?? error
      } finally {
        lines.destroy()
        await file.close()
      }
    },
    kill: killer,
    async close() {
      if (closed) return
      closed = true
      // Waits for earlier statements.
      await Promise.all(clients.map(() => take()))
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}
