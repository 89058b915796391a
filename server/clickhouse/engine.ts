import { Readable } from 'node:stream'
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
  /** Streams lines into a table with one text column. */
  insertLines(table: string, lines: AsyncIterable<Uint8Array>): Promise<void>
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

/**
 * Statements that write the files that describe a table. On a full disk the embedded engine leaves them empty without an
 * error (measured with chDB 3.4.0), and then does not open again.
 */
const CHANGES_TABLES = /^\s*(CREATE|ALTER|DELETE)\b/i

/** The lines to send could not be read, which says nothing about the engine. */
class LinesFailed extends Error {}

async function* sourceOf(lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = lines[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await source.next().catch((cause: unknown) => {
        throw new LinesFailed('lines could not be read', { cause })
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    await source.return?.()
  }
}

let signalled = 0

export function openPool(
  clients: readonly ClickHouseClient[],
  killer: (comment: string) => Promise<void>,
  { outages, mustHaveRoom }: { outages?: OutageLog | undefined; mustHaveRoom?(): Promise<void> } = {},
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
      if (cause instanceof LinesFailed) throw cause.cause
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
      if (CHANGES_TABLES.test(bound)) await mustHaveRoom?.()
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
    async insertLines(table, lines) {
      await run(async (client) => {
        const values = Readable.from(sourceOf(lines), { objectMode: false })
        // Without a listener, an error of the source would end the process.
        values.on('error', () => {})
        try {
          const { stream } = await client.exec({ query: `INSERT INTO ${table} FORMAT LineAsString`, values })
          stream.resume()
        } catch (error) {
          // A broken connection is given to the stream as well, so only our own class shows that the source failed.
          throw values.errored instanceof LinesFailed ? values.errored : error
        } finally {
          values.destroy()
        }
      })
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
