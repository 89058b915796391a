import { createHash, createHmac, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { buffer } from 'node:stream/consumers'

const require = createRequire(import.meta.url)
/** The package has no types. */
const S3rver = require('s3rver') as new (
  options: object,
) => {
  run(): Promise<AddressInfo>
  close(): Promise<void>
}

const BUCKET = 'renqun'
const ROOT = { id: 'ROOTKEY', secret: 'root/secret+key' }

interface Keys {
  id: string
  secret: string
  /** Temporary keys have a token and a policy, which is all they may do. */
  token?: string
  policy?: { Action: string[]; Resource: string[] }
}

export interface S3Store {
  /** A value for OBJECT_STORE_URL. */
  url: string
  /** Its calls (such as `PUT key?partNumber=1` by ROOTKEY), with their status. */
  calls: { method: string; path: string; query: URLSearchParams; by: string; status: number }[]
  /** The bytes of an object; null when there is none. */
  object(key: string): Buffer | null
  /** The number of multipart uploads neither finished nor aborted. */
  unfinished(): number
  /** Turns temporary keys on or off. */
  setGivesKeys(isOn: boolean): void
  close(): Promise<void>
}

/**
 * s3rver behind a gate that checks every signature as S3 does (s3rver accepts unsigned requests) and adds what s3rver
 * lacks: listing and aborting a multipart upload, and with `sts` temporary keys restricted by their policy.
 */
export async function startS3({ sts = false } = {}): Promise<S3Store> {
  let givesKeys = sts
  const directory = mkdtempSync(join(tmpdir(), 'renqun-s3-'))
  const inner = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
    allowMismatchedSignatures: true,
  })
  const { port } = await inner.run()
  const known: Keys[] = [ROOT]
  const calls: S3Store['calls'] = []
  const uploads = join(directory, BUCKET, '._S3rver_uploads')
  /** Complete parts, by upload; interrupted ones lie in the same directory. */
  const whole = new Map<string, Set<string>>()

  const gate = createServer(async (asked, answer) => {
    const target = new URL(asked.url ?? '/', 'http://x')
    answer.setHeader('access-control-allow-origin', '*')
    answer.setHeader('access-control-expose-headers', 'etag')
    if (asked.method === 'OPTIONS') {
      answer.setHeader('access-control-allow-methods', 'GET,PUT,POST,DELETE')
      answer.setHeader('access-control-allow-headers', '*')
      return void answer.writeHead(204).end()
    }
    const form = target.pathname === '/' && asked.method === 'POST' ? await buffer(asked) : null
    const by = signerOf(asked, target, known, form)
    answer.once('finish', () =>
      calls.push({
        method: asked.method ?? '',
        path: target.pathname,
        query: target.searchParams,
        by: by?.id ?? 'nobody',
        status: answer.statusCode,
      }),
    )
    if (!by) return refuse(answer, 403, 'SignatureDoesNotMatch')
    if (form) return assumeRole(form.toString(), answer)
    if (!mayDo(by, asked, target)) return refuse(answer, 403, 'AccessDenied')
    const upload = target.searchParams.get('uploadId')
    const at = upload && /^\w+$/.test(upload) ? join(uploads, upload) : null
    if (at && !existsSync(at)) return refuse(answer, 404, 'NoSuchUpload')
    if (upload && at && asked.method === 'GET') return listParts(at, whole.get(upload) ?? new Set(), answer)
    if (at && asked.method === 'DELETE') {
      rmSync(at, { recursive: true })
      return void answer.writeHead(204).end()
    }
    const part = target.searchParams.get('partNumber')
    if (upload && part) {
      answer.once('finish', () => {
        if (answer.statusCode === 200) whole.set(upload, (whole.get(upload) ?? new Set()).add(part))
      })
    }
    forward(asked, answer)
  })

  function forward(asked: IncomingMessage, answer: ServerResponse) {
    const target = new URL(asked.url ?? '/', 'http://x')
    // s3rver would check the signature again, less strictly.
    for (const name of [...target.searchParams.keys()]) {
      if (name.toLowerCase().startsWith('x-amz-')) target.searchParams.delete(name)
    }
    const { authorization: _, ...headers } = asked.headers
    for (const name of Object.keys(headers)) if (name.startsWith('x-amz-')) delete headers[name]
    const path = `${target.pathname}${target.search.replace(/=(?=&|$)/g, '')}`
    const passed = request({ port, agent: false, host: '127.0.0.1', method: asked.method, path, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 500, { ...got.headers })
      got.pipe(answer)
    })
    // If the browser aborts a part, the forwarded request is aborted too; otherwise s3rver would wait for its end.
    pipeline(asked, passed, (error) => error && answer.destroy())
  }

  function assumeRole(text: string, answer: ServerResponse) {
    const form = new URLSearchParams(text)
    if (!givesKeys || form.get('Action') !== 'AssumeRole') return refuse(answer, 400, 'InvalidAction')
    const policy = JSON.parse(form.get('Policy') ?? '{}').Statement[0]
    const made = {
      id: `TEMP${known.length}`,
      secret: randomBytes(20).toString('base64'),
      token: randomBytes(30).toString('base64'),
    }
    known.push({ ...made, policy })
    const until = new Date(Date.now() + Number(form.get('DurationSeconds')) * 1000).toISOString()
    answer
      .writeHead(200, { 'content-type': 'text/xml' })
      .end(
        `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>` +
          `<AccessKeyId>${made.id}</AccessKeyId><SecretAccessKey>${made.secret}</SecretAccessKey>` +
          `<SessionToken>${made.token}</SessionToken><Expiration>${until}</Expiration>` +
          `</Credentials></AssumeRoleResult></AssumeRoleResponse>`,
      )
  }

  await new Promise<void>((ready) => gate.listen(0, '127.0.0.1', ready))
  const { port: gatePort } = gate.address() as AddressInfo
  return {
    url: `http://${ROOT.id}:${encodeURIComponent(ROOT.secret)}@127.0.0.1:${gatePort}/${BUCKET}`,
    calls,
    object(key) {
      const path = join(directory, BUCKET, `${key}._S3rver_object`)
      return existsSync(path) ? readFileSync(path) : null
    },
    unfinished: () => (existsSync(uploads) ? readdirSync(uploads).length : 0),
    setGivesKeys(isOn) {
      givesKeys = isOn
    },
    async close() {
      gate.closeAllConnections()
      await new Promise((closed) => gate.close(closed))
      await inner.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function refuse(answer: ServerResponse, status: number, code: string) {
  answer
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

function listParts(at: string, whole: ReadonlySet<string>, answer: ServerResponse) {
  const parts = readdirSync(at)
    .filter((name) => whole.has(name))
    .map((name) => ({ name, bytes: readFileSync(join(at, name)) }))
    .map(({ name, bytes }) => {
      const etag = createHash('md5').update(bytes).digest('hex')
      return `<Part><PartNumber>${name}</PartNumber><ETag>&quot;${etag}&quot;</ETag><Size>${bytes.length}</Size></Part>`
    })
  answer
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><ListPartsResult>${parts.join('')}</ListPartsResult>`)
}

/** Temporary keys may only write below their prefix and list their own parts. */
function mayDo({ policy }: Keys, { method }: IncomingMessage, target: URL): boolean {
  if (!policy) return true
  const arn = `arn:aws:s3:::${decodeURIComponent(target.pathname.slice(1))}`
  const isUpload = target.searchParams.has('uploadId')
  const action =
    method === 'DELETE' && isUpload
      ? 's3:AbortMultipartUpload'
      : method === 'GET' && isUpload
        ? 's3:ListMultipartUploadParts'
        : method === 'PUT' || method === 'POST'
          ? 's3:PutObject'
          : `s3:${method}`
  return policy.Action.includes(action) && policy.Resource.some((one) => arn.startsWith(one.replace(/\*$/, '')))
}

/** Whose key signed the request (AWS signature version 4, in its headers or its query); null when none did. */
function signerOf(asked: IncomingMessage, target: URL, known: readonly Keys[], form: Buffer | null): Keys | null {
  const { headers, method } = asked
  const query = target.searchParams
  const inQuery = query.has('X-Amz-Signature')
  const given = inQuery
    ? {
        credential: query.get('X-Amz-Credential') ?? '',
        signed: query.get('X-Amz-SignedHeaders') ?? '',
        signature: query.get('X-Amz-Signature') ?? '',
        date: query.get('X-Amz-Date') ?? '',
        token: query.get('X-Amz-Security-Token'),
        payload: 'UNSIGNED-PAYLOAD',
      }
    : {
        credential: /Credential=([^,\s]+)/.exec(headers.authorization ?? '')?.[1] ?? '',
        signed: /SignedHeaders=([^,\s]+)/.exec(headers.authorization ?? '')?.[1] ?? '',
        signature: /Signature=([^,\s]+)/.exec(headers.authorization ?? '')?.[1] ?? '',
        date: String(headers['x-amz-date'] ?? ''),
        token: headers['x-amz-security-token'] ?? null,
        payload: form ? createHash('sha256').update(form).digest('hex') : String(headers['x-amz-content-sha256']),
      }
  const [id, day = '', region = '', service = ''] = given.credential.split('/')
  const keys = known.find((one) => one.id === id)
  if (!keys || (keys.token ?? null) !== given.token) return null
  if (inQuery && isPast(given.date, Number(query.get('X-Amz-Expires')))) return null

  const canonicalQuery = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${rfc3986(name)}=${rfc3986(value)}`)
    .toSorted()
    .join('&')
  const canonicalHeaders = given.signed.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`)
  const path =
    service === 's3'
      ? target.pathname
          .split('/')
          .map((part) => rfc3986(decodeURIComponent(part)))
          .join('/')
      : target.pathname
  const canonical = [method, path, canonicalQuery, canonicalHeaders.join(''), given.signed, given.payload]
  const hashed = createHash('sha256').update(canonical.join('\n')).digest('hex')
  const toSign = ['AWS4-HMAC-SHA256', given.date, [day, region, service, 'aws4_request'].join('/'), hashed].join('\n')
  let key: Buffer | string = `AWS4${keys.secret}`
  for (const part of [day, region, service, 'aws4_request']) key = createHmac('sha256', key).update(part).digest()
  return createHmac('sha256', key).update(toSign).digest('hex') === given.signature ? keys : null
}

const rfc3986 = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

function isPast(date: string, seconds: number): boolean {
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? []
  return Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`) + seconds * 1000 < Date.now()
}
