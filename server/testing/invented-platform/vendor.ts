import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

export const APP = { app: 'app-1', secret: 'vendor-secret' }
export const ACCOUNT = { id: '5001', name: '样例账户' }

interface Crowd {
  id: string
  key: string
  name: string
  values: Set<string>
  /** Keys of the applied parts; a part sent twice changes nothing. */
  parts: Set<string>
}

/** Refuses a call with this status and word. */
class Refusal extends Error {
  readonly status: number
  constructor(status: number, error: string) {
    super(error)
    this.status = status
  }
}

/** A platform without an adapter in the product, over HTTP. It refuses every call that is not exactly as it expects. */
export async function startVendor() {
  const grants = new Set<string>()
  const tokens = new Set<string>()
  const crowds = new Map<string, Crowd>()
  const refusals: string[] = []

  const crowdOf = (id: string) => {
    const crowd = crowds.get(id)
    if (!crowd) throw new Refusal(404, 'no_such_crowd')
    return crowd
  }
  const signedIn = ({ headers }: IncomingMessage) => {
    if (!tokens.has(headers.authorization?.replace('Bearer ', '') ?? '')) throw new Refusal(401, 'token')
  }
  const isOwn = (account: string) => {
    if (account !== ACCOUNT.id) throw new Refusal(403, 'account')
  }

  const calls: Record<string, (given: unknown, request: IncomingMessage) => object> = {
    'POST /tokens': (given) => {
      const { app, secret, grant } = strict({ app: z.string(), secret: z.string(), grant: z.string() }, given)
      if (app !== APP.app || secret !== APP.secret) throw new Refusal(403, 'application')
      if (!grants.delete(grant)) throw new Refusal(400, 'grant')
      const access = randomUUID()
      tokens.add(access)
      return { access, seconds: 86_400 }
    },
    'GET /accounts': (given, request) => {
      signedIn(request)
      strict({}, given)
      return { accounts: [ACCOUNT] }
    },
    'GET /crowds': (given, request) => {
      signedIn(request)
      isOwn(strict({ account: z.string() }, given).account)
      return { crowds: [...crowds.values()].map(({ id, key, name, values }) => ({ id, key, name, size: values.size })) }
    },
    'POST /crowds': (given, request) => {
      signedIn(request)
      const { account, key, name } = strict(
        { account: z.string(), key: z.string().min(1), name: z.string().min(1).max(20) },
        given,
      )
      isOwn(account)
      const named = [...crowds.values()].find((one) => one.name === name)
      if (named && named.key !== key) throw new Refusal(409, 'name_taken')
      const crowd = named ?? { id: `c${crowds.size + 1}`, key, name, values: new Set(), parts: new Set() }
      crowds.set(crowd.id, crowd)
      return { id: crowd.id }
    },
    'POST /values': (given, request) => {
      signedIn(request)
      const { crowd, part, op, values } = strict(
        {
          crowd: z.string(),
          part: z.string(),
          op: z.enum(['add', 'remove']),
          type: z.literal('imei_md5'),
          values: z.array(z.string().regex(/^[0-9a-f]{32}$/)).max(50),
        },
        given,
      )
      const found = crowdOf(crowd)
      if (!found.parts.has(part)) {
        for (const value of values) op === 'add' ? found.values.add(value) : found.values.delete(value)
      }
      found.parts.add(part)
      return { accepted: values.length }
    },
    'POST /delete': (given, request) => {
      signedIn(request)
      const { crowd } = strict({ crowd: z.string() }, given)
      crowds.delete(crowdOf(crowd).id)
      return {}
    },
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://vendor')
    const query = Object.fromEntries(searchParams)
    if (pathname === '/authorise') {
      const grant = randomUUID()
      grants.add(grant)
      const back = new URL(query.redirect ?? '')
      back.search = new URLSearchParams({ state: query.state ?? '', grant }).toString()
      response.writeHead(query.app === APP.app ? 303 : 403, { location: back.href }).end()
      return
    }
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const call = `${request.method} ${pathname}`
    try {
      const body = await text(request)
      const work = calls[call]
      if (!work) throw new Refusal(404, 'no_such_call')
      answer(200, work(request.method === 'GET' ? query : JSON.parse(body), request))
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(400, String(error))
      refusals.push(`${call}: ${refusal.status} ${refusal.message}`)
      answer(refusal.status, { error: refusal.message })
    }
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    crowds,
    /** Refused calls. */
    refusals,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

const strict = <S extends z.ZodRawShape>(shape: S, given: unknown) => z.strictObject(shape).parse(given)
