import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { join } from 'node:path'
import { openPostgres } from '../postgres/open.ts'
import { type TestPostgres, testPostgres } from './postgres.ts'

export interface CutPostgres extends TestPostgres {
  /** Breaks every connection. */
  cut(): void
  /** Breaks every connection and refuses new ones until `back()`. */
  goAway(): Promise<void>
  back(): Promise<void>
  /** Forwards the COMMIT of the next transaction that writes this text and breaks the connection before the answer. */
  loseCommitOf(text: string): void
  /** A separate connection to the same database, which is never broken. */
  direct: TestPostgres
}

/** A test's database behind a proxy that can break connections, as a restart of Postgres does. */
export async function cutPostgres(): Promise<CutPostgres> {
  const direct = await testPostgres()
  const proxy = await openProxy(addressOf(direct))
  const url = new URL(direct.databaseUrl ?? 'postgres://postgres@127.0.0.1/postgres')
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  const opened = await openPostgres({ databaseUrl: url.href, dataDir: direct.dataDir })
  return {
    ...opened,
    ...proxy,
    direct,
    dataDir: direct.dataDir,
    pause: () => opened.close(),
    async close() {
      await opened.close()
      await proxy.end()
      await direct.close()
    },
  }
}

function addressOf({ databaseUrl, dataDir }: TestPostgres): NetConnectOpts {
  if (databaseUrl === undefined) return { path: join(dataDir, '.s.PGSQL.5432') }
  const { hostname, port } = new URL(databaseUrl)
  return { host: hostname, port: Number(port || 5432) }
}

async function openProxy(to: NetConnectOpts) {
  const sockets = new Set<Socket>()
  let lostStatement: string | undefined
  const server = createServer((near) => {
    const far = connect(to)
    let isSent = false
    let isLost = false
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    near.on('data', (chunk) => {
      isSent ||= lostStatement !== undefined && chunk.includes(lostStatement)
      if (isSent && chunk.includes('commit\0')) {
        lostStatement = undefined
        isLost = true
      }
      far.write(chunk)
    })
    far.on('data', (chunk) => {
      if (isLost) near.destroy()
      else near.write(chunk)
    })
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const goAway = async () => {
    const closed = new Promise((done) => server.close(done))
    cut()
    await closed
  }
  return {
    port,
    cut,
    goAway,
    back: () => listen(port),
    loseCommitOf: (text: string) => {
      lostStatement = text
    },
    end: async () => {
      if (server.listening) await goAway()
    },
  }
}
