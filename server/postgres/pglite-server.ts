import { createServer, type Server, type Socket } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'
import { type Panic, panicWatch } from './panic.ts'

const SSL_REQUEST = 80877103
const GSS_REQUEST = 80877104
const CANCEL_REQUEST = 80877102
const TERMINATE = 'X'
/** The messages that end a unit (query, sync, function call); a client's messages up to one of them belong together. */
const CLOSING = new Set(['Q', 'S', 'F'])
const SYNC = Buffer.from([0x53, 0, 0, 0, 4])

interface Client {
  socket: Socket
  received: Buffer
  started: boolean
  /** Complete messages of a unit that has not ended. */
  open: Buffer[]
  ready: Buffer[]
  gone: boolean
}

/**
 * Serves one PGlite to several Postgres clients over a unix socket. PGlite is a single session, so a client's messages
 * up to its Sync run as one unit, and a transaction keeps the session until it ends. (`@electric-sql/pglite-socket` lets
 * clients in between a Parse and its Bind when a message spans two reads, and hangs after an error.)
 */
export async function servePglite(db: PGlite, path: string) {
  const clients = new Set<Client>()
  let waiting: Client[] = []
  let owner: Client | undefined
  let running = false
  let failed: (error: unknown) => void = () => {}
  const failure = new Promise<never>((_, reject) => {
    failed = reject
  })
  // Marked as handled, since callers attach to it later.
  failure.catch(() => {})

  const panicIn = panicWatch()
  async function execute(unit: Buffer, onData: (data: Uint8Array) => void) {
    let panic: Panic | null = null
    await db.execProtocolRawStream(unit, {
      onRawData(data) {
        panic ??= panicIn(data)
        onData(data)
      },
    })
    // After a panic, a call to the engine would never return.
    if (panic) throw panic
  }

  function enqueue(client: Client, unit: Buffer) {
    client.ready.push(unit)
    if (client.ready.length === 1 && client !== owner) waiting.push(client)
    void run()
  }

  async function run() {
    if (running) return
    running = true
    try {
      for (;;) {
        if (owner?.gone) await abandon()
        const client = owner?.ready.length ? owner : owner ? undefined : waiting.shift()
        const unit = client?.ready.shift()
        if (!client || !unit) break
        client.socket.cork()
        try {
          await execute(unit, (data) => {
            if (!client.gone) client.socket.write(Buffer.from(data))
          })
        } finally {
          client.socket.uncork()
        }
        owner = db.isInTransaction() ? client : undefined
        if (!owner && client.ready.length) waiting.push(client)
        // Lets other clients' sockets be read between two units.
        await new Promise(setImmediate)
      }
    } catch (error) {
      failed(error)
      return
    }
    running = false
  }

  /** Handles an owner that disconnected during its transaction. */
  async function abandon() {
    await execute(SYNC, () => {})
    if (db.isInTransaction()) await execute(queryMessage('ROLLBACK'), () => {})
    owner = undefined
  }

  function receive(client: Client, chunk: Buffer) {
    client.received = client.received.length ? Buffer.concat([client.received, chunk]) : chunk
    for (;;) {
      const taken = client.started ? takeMessage(client) : takeStartup(client)
      if (!taken) return
    }
  }

  function takeStartup(client: Client): boolean {
    if (client.received.length < 8) return false
    const length = client.received.readInt32BE(0)
    if (client.received.length < length) return false
    const message = client.received.subarray(0, length)
    client.received = client.received.subarray(length)
    const code = message.readInt32BE(4)
    if (code === SSL_REQUEST || code === GSS_REQUEST) client.socket.write('N')
    else if (code === CANCEL_REQUEST) client.socket.end()
    else {
      client.started = true
      enqueue(client, message)
    }
    return true
  }

  function takeMessage(client: Client): boolean {
    if (client.received.length < 5) return false
    const length = 1 + client.received.readInt32BE(1)
    if (client.received.length < length) return false
    const message = client.received.subarray(0, length)
    client.received = client.received.subarray(length)
    const type = String.fromCharCode(message[0] ?? 0)
    if (type === TERMINATE) {
      client.socket.end()
      return true
    }
    client.open.push(message)
    if (CLOSING.has(type)) {
      enqueue(client, client.open.length === 1 ? message : Buffer.concat(client.open))
      client.open = []
    }
    return true
  }

  async function leave(client: Client) {
    if (client.gone) return
    client.gone = true
    clients.delete(client)
    client.ready = []
    waiting = waiting.filter((other) => other !== client)
    if (owner !== client || running) return
    running = true
    await abandon().catch(failed)
    running = false
    void run()
  }

  const server: Server = createServer((socket) => {
    const client: Client = { socket, received: Buffer.alloc(0), started: false, open: [], ready: [], gone: false }
    clients.add(client)
    socket.on('data', (chunk) => receive(client, chunk))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => void leave(client))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })

  return {
    /** Rejects when the engine has broken; afterwards it answers nothing. */
    failure,
    async close() {
      for (const client of clients) client.socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      while (running) await new Promise(setImmediate)
    },
  }
}

function queryMessage(sql: string): Buffer {
  const message = Buffer.alloc(6 + Buffer.byteLength(sql))
  message.write('Q', 0)
  message.writeInt32BE(message.length - 1, 1)
  message.write(sql, 5)
  return message
}
