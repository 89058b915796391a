import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as forward, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '../../sandbox/server.ts'
import type { AccountSession, Part, PlatformFault, StepHooks } from '../platforms/audience-platform.ts'
import { openPlatforms, type PlatformsOptions } from '../platforms/open.ts'
import type { CallSample } from '../postgres/schema-custom.ts'
import { unzip } from './unzip.ts'

export interface WireCall {
  method: string
  path: string
  query: [string, string][]
  headers: IncomingMessage['headers']
  body: Buffer
}

export interface TestAccount extends AccountSession {
  current: string
  /** How often the platform reported an expired token; `renews`: whether it then gets a new one. */
  renewals: number
  renews: boolean
}

/** Both adapters against the sandbox over HTTP; records every byte that they send. */
export async function platformWorld(options: Partial<PlatformsOptions> = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'renqun-platforms-'))
  const sandbox = await startSandbox({ port: 0, dir: join(dir, 'sandbox') })
  const calls: WireCall[] = []
  const proxy = await openProxy(sandbox.url, calls)
  const apps = {
    social: { url: `${proxy.url}/social`, appId: '1110000001', secret: 'sandbox-social-secret' },
    video: { url: `${proxy.url}/video`, appId: '1780000000000001', secret: 'sandbox-video-secret' },
  }
  const open = (more: Partial<PlatformsOptions> = {}) =>
    openPlatforms({
      endpointOf: async (platform) => (platform in apps ? apps[platform as keyof typeof apps] : apps.video),
      dataDir: dir,
      callsPerSecond: 1000,
      ...options,
      ...more,
    })

  async function control<T = unknown>(path: string, body?: object): Promise<T> {
    const answer = await fetch(`${sandbox.url}/sandbox/${path}`, {
      headers: { 'content-type': 'application/json', 'x-sandbox-key': sandbox.key },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`/sandbox/${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }

  const samples: CallSample[] = []
  const on: StepHooks = { signal: new AbortController().signal, sample: (one) => samples.push(one) }

  /** An account whose expired token is replaced by a new one, as the authorisation does it. */
  async function session(platform: 'social' | 'video', external_id: string, scopes?: string[]) {
    const made = async () => {
      const about = { platform, account_ids: [external_id], ...(scopes && { scopes }) }
      return (await control<{ access_token: string }>('tokens', about)).access_token
    }
    const account: TestAccount = {
      account_id: 1,
      external_id,
      token: async () => account.current,
      tokenExpired: async () => {
        account.renewals++
        if (account.renews) account.current = await made()
      },
      current: await made(),
      renewals: 0,
      renews: true,
    }
    return account
  }

  return {
    sandbox,
    apps,
    platforms: open(),
    /** The same accounts through adapters with other options. */
    open,
    control,
    session,
    on,
    samples,
    /** The calls since the last time this was called. */
    takeCalls: () => calls.splice(0),
    /** Moves the platforms' clock on by a minute, when all pending work is done. */
    async settle() {
      await control('clock', { advance: 60 })
      await control('settle', {})
    },
    async audiences(platform: 'social' | 'video', account_id: string) {
      return control<Record<string, unknown>[]>(`audiences?platform=${platform}&account_id=${account_id}`)
    },
    async values(platform: 'social' | 'video', audience_id: string) {
      return (await control<{ values: string[] }>(`values?platform=${platform}&audience_id=${audience_id}`)).values
    },
    async close() {
      await proxy.close()
      await sandbox.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
export type PlatformWorld = Awaited<ReturnType<typeof platformWorld>>

export function aPart(key: string, op: Part['op'], values: readonly string[]): Part {
  async function* batches() {
    for (let at = 0; at < values.length; at += 700) yield values.slice(at, at + 700)
  }
  return { key, op, count: values.length, values: batches }
}

/** The fault with which a call fails; a call that succeeds is an error. */
export async function faultOf(call: Promise<unknown>): Promise<PlatformFault> {
  const ended = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('value' in ended) throw new Error(`no fault, but ${JSON.stringify(ended.value)}`)
  return ended.error as PlatformFault
}

/** Forwards every call, including broken connections. */
async function openProxy(to: string, calls: WireCall[]) {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const url = new URL(incoming.url ?? '/', to)
    const { method = 'GET', headers } = incoming
    calls.push({ method, path: url.pathname, query: [...url.searchParams], headers, body })
    const onward = forward(url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => incoming.socket.destroy())
    outgoing.on('close', () => onward.destroy())
    onward.end(body)
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** A request for a reviewed snapshot; values that change with each run are replaced by names. */
export async function shapeOf(call: WireCall, names: Record<string, string>): Promise<string> {
  const named = (text: string) =>
    Object.entries(names).reduce((shown, [value, name]) => shown.replaceAll(value, `<${name}>`), text)
  const query = call.query.map(([key, value]) => {
    if (key === 'nonce')
      return `  nonce=<${value.length} characters of ${/^[0-9a-f]+$/.test(value) ? 'hexadecimal' : '?'}>`
    if (key === 'timestamp') return `  timestamp=<${value.length} digits>`
    return `  ${key}=${named(value)}`
  })
  const type = (call.headers['content-type'] ?? '').replace(/boundary=.*/, 'boundary=…')
  const headers = Object.entries(call.headers)
    .filter(([name]) => !['host', 'connection', 'content-length', 'content-type', 'transfer-encoding'].includes(name))
    .map(([name, value]) => `  ${name}: ${named(String(value))}`)
    .toSorted()
  const body = /^multipart/.test(type)
    ? await multipartShape(call, named)
    : call.body.length
      ? [`  ${named(call.body.toString('utf8'))}`]
      : []
  return [
    `${call.method} ${call.path}`,
    ...(query.length ? ['query', ...query.toSorted()] : []),
    'headers',
    ...headers,
    ...(type ? [`  content-type: ${type}`] : []),
    ...(body.length ? ['body', ...body] : []),
  ].join('\n')
}

async function multipartShape({ headers, body }: WireCall, named: (text: string) => string): Promise<string[]> {
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': String(headers['content-type']) },
  }).formData()
  const lines: string[] = []
  for (const [name, value] of form) {
    if (typeof value === 'string') {
      lines.push(`  ${name}: ${named(value)}`)
      continue
    }
    lines.push(`  ${name}: ${value.name} (${value.type}), a zip of`)
    for (const entry of await unzip(Buffer.from(await value.arrayBuffer()))) {
      const all = entry.text.split('\n')
      lines.push(`    ${entry.name}: ${all.length - 1} lines${entry.text.endsWith('\n') ? '' : ', the last one open'}`)
      lines.push(`    | ${all[0]}`)
    }
  }
  return lines
}
