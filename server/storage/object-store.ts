import { createWriteStream, openAsBlob } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AwsClient } from 'aws4fetch'
import { networkReason } from '../network/network-reason.ts'
import { StartError } from '../start-error.ts'
import { now } from '../time/clock.ts'
import { asObjectStoreAway } from './object-store-away.ts'

/** How long a signed URL is valid. */
const SIGNED_SECONDS = 900
const CREDENTIALS_SECONDS = 900
/** After this time a store without STS is asked again. */
const STS_ASKED_AGAIN_MS = 3_600_000
const CALL_TIMEOUT_MS = 30_000
/** The longest time a start waits for the store. */
const SERVES_WITHIN_MS = 10_000

const MALFORMED = '设置 OBJECT_STORE_URL 不正确：要写成 https://AccessKey:SecretKey@主机/桶名'
/** Sentences by the error code in the store's answer. */
const REFUSALS: Record<string, string> = {
  InvalidAccessKeyId: '没有这个 Access Key',
  SignatureDoesNotMatch: 'Access Key 与 Secret Key 不符',
  AccessDenied: '这个 Access Key 没有列出桶中对象的权限',
  InvalidBucketName: '桶名不正确',
  AuthorizationHeaderMalformed: '桶在另一个区域，请在地址后写明 ?region=区域',
  PermanentRedirect: '桶在另一个区域，请用那个区域的地址',
  RequestTimeTooSkewed: '本机的时钟与它相差太多',
}

export type ObjectStep =
  | { step: 'create' }
  | { step: 'part'; upload_id: string; part: number }
  | { step: 'list' | 'complete' | 'abort'; upload_id: string }

export interface TemporaryCredentials {
  accessKeyId: string
  accessKeySecret: string
  securityToken: string
  expires_at: number
}

const METHODS = { create: 'POST', part: 'PUT', list: 'GET', complete: 'POST', abort: 'DELETE' } as const

/**
 * A bucket of an S3-compatible store: `https://key:secret@host/bucket`. Its query may have `region`, `sts` (the URL of
 * its token service; by default the store's own) and `role` (the ARN to assume there, if the service requires one).
 */
export function openObjectStore(address: string) {
  const url = new URL(address)
  const bucket = url.pathname.split('/').filter(Boolean)[0] ?? ''
  if (!bucket || !url.username || !url.password) throw new StartError(MALFORMED)
  const region = url.searchParams.get('region') ?? 'us-east-1'
  const endpoint = `${url.origin}/${bucket}`
  const keys = {
    accessKeyId: decoded(url.username),
    secretAccessKey: decoded(url.password),
    region,
  }
  const client = new AwsClient({ ...keys, service: 's3', retries: 3 })
  const sts = new AwsClient({ ...keys, service: 'sts', retries: 1 })
  const stsUrl = url.searchParams.get('sts') ?? `${url.origin}/`
  const role = url.searchParams.get('role') ?? 'arn:aws:iam::000000000000:role/uploader'
  /** By performance.now(), which changes of the clock do not affect. */
  let stsAskedAgainAt = 0

  const urlOf = (key: string, query: Record<string, string> = {}) => {
    const made = new URL(`${endpoint}/${key.split('/').map(encodeURIComponent).join('/')}`)
    for (const [name, value] of Object.entries(query)) made.searchParams.set(name, value)
    return made
  }
  /** Every request but that of a start's check and of the token service. */
  const fetched: typeof client.fetch = (target, init) =>
    client.fetch(target, init).catch((error: unknown) => Promise.reject(asObjectStoreAway(error)))
  const ask = (target: URL, method: string) => fetched(target, { method, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) })

  async function must(target: URL, method: string, allowed: readonly number[] = []): Promise<Response> {
    const answer = await ask(target, method)
    if (answer.ok || allowed.includes(answer.status)) return answer
    throw new Error(
      `Object store: ${method} ${target.pathname} ${answer.status} ${(await answer.text()).slice(0, 500)}`,
    )
  }

  return {
    endpoint,
    bucket,
    region,

    /** Checks the address, the keys and the bucket in one small call; throws a StartError with what is wrong. */
    async checkAccess(): Promise<void> {
      const unfit = (reason: string) => new StartError(`OBJECT_STORE_URL 指定的对象存储无法使用：${reason}`)
      const target = new URL(endpoint)
      target.searchParams.set('list-type', '2')
      target.searchParams.set('max-keys', '1')
      const { status, text } = await client
        .fetch(target, { signal: AbortSignal.timeout(SERVES_WITHIN_MS) })
        .then(async (answer) => ({ status: answer.status, text: await answer.text() }))
        .catch((error: Error) => {
          throw unfit(networkReason(error.cause ?? error))
        })
      if (status === 200 && text.includes('<ListBucketResult')) return
      const code = text.includes('<Error>') ? elementOf(text, 'Code') : null
      if (code === null) {
        throw unfit(status < 500 ? `${url.origin} 上不是 S3 兼容的对象存储（HTTP ${status}）` : `它答复 HTTP ${status}`)
      }
      if (code === 'NoSuchBucket') throw unfit(`没有桶 ${bucket}，请先建立它`)
      throw unfit(`${REFUSALS[code] ?? `它答复 HTTP ${status}`}（${code.slice(0, 100)}）`)
    },

    /** A URL that allows exactly one step of a multipart upload of `key`. */
    async sign(key: string, step: ObjectStep): Promise<string> {
      const target = urlOf(key, { 'X-Amz-Expires': String(SIGNED_SECONDS) })
      if (step.step === 'create') target.searchParams.set('uploads', '')
      else target.searchParams.set('uploadId', step.upload_id)
      if (step.step === 'part') target.searchParams.set('partNumber', String(step.part))
      const { url: signed } = await client.sign(target, { method: METHODS[step.step], aws: { signQuery: true } })
      return signed
    },

    /** Credentials that may only write below `prefix`; null if the store gives none. */
    async assumeRole(prefix: string, session: string): Promise<TemporaryCredentials | null> {
      if (performance.now() < stsAskedAgainAt) return null
      const body = new URLSearchParams({
        Action: 'AssumeRole',
        Version: '2011-06-15',
        RoleArn: role,
        RoleSessionName: session,
        DurationSeconds: String(CREDENTIALS_SECONDS),
        Policy: JSON.stringify({
          Version: '2012-10-17',
          Statement: [
            {
              Effect: 'Allow',
              Action: ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
              Resource: [`arn:aws:s3:::${bucket}/${prefix}*`],
            },
          ],
        }),
      }).toString()
      const answer = await sts
        .fetch(stsUrl, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
        })
        .catch(() => null)
      const text = answer?.ok ? await answer.text() : ''
      const [accessKeyId, accessKeySecret, securityToken, until] = [
        'AccessKeyId',
        'SecretAccessKey',
        'SessionToken',
        'Expiration',
      ].map((name) => elementOf(text, name))
      if (!accessKeyId || !accessKeySecret || !securityToken) {
        // If it answered, it has no STS; a store that did not answer is asked again at the next call.
        if (answer) stsAskedAgainAt = performance.now() + STS_ASKED_AGAIN_MS
        return null
      }
      const given = until ? Math.floor(Date.parse(until) / 1000) : Number.NaN
      const expires_at = Number.isFinite(given) ? given : now() + CREDENTIALS_SECONDS
      return { accessKeyId, accessKeySecret, securityToken, expires_at }
    },

    /** The size of an object in bytes; null when there is none. */
    async sizeOf(key: string): Promise<number | null> {
      const answer = await must(urlOf(key), 'HEAD', [404])
      return answer.status === 404 ? null : Number(answer.headers.get('content-length'))
    },

    /** Downloads an object, or its beginning, to a local file; a failed download leaves no file. */
    async download(
      key: string,
      path: string,
      { firstBytes, signal }: { firstBytes?: number; signal?: AbortSignal | undefined } = {},
    ): Promise<void> {
      const range = firstBytes === undefined ? {} : { headers: { range: `bytes=0-${firstBytes - 1}` } }
      const answer = await fetched(urlOf(key), { method: 'GET', ...range, ...(signal ? { signal } : {}) })
      if (!answer.ok || !answer.body) throw new Error(`Object store: GET ${key} ${answer.status}`)
      const partial = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.partial`
      try {
        await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(partial, { mode: 0o600 }), { signal })
        await rename(partial, path)
      } finally {
        await rm(partial, { force: true })
      }
    },

    /** Writes a local file as an object, in one request. */
    async upload(key: string, path: string, signal?: AbortSignal): Promise<void> {
      const target = urlOf(key, { 'X-Amz-Expires': String(SIGNED_SECONDS) })
      const { url: signed } = await client.sign(target, { method: 'PUT', aws: { signQuery: true } })
      const answer = await fetch(signed, {
        method: 'PUT',
        body: await openAsBlob(path),
        ...(signal ? { signal } : {}),
      }).catch((error: unknown) => Promise.reject(asObjectStoreAway(error)))
      if (!answer.ok) throw new Error(`Object store: PUT ${key} ${answer.status}`)
    },

    /** The bytes of an object; null when there is none. */
    async read(key: string): Promise<Readable | null> {
      const answer = await fetched(urlOf(key), { method: 'GET' })
      if (answer.status === 404) return null
      if (!answer.ok || !answer.body) throw new Error(`Object store: GET ${key} ${answer.status}`)
      return Readable.fromWeb(answer.body as never)
    },

    olderThan,

    /** Removes an object and the parts of an unfinished multipart upload. */
    async remove(key: string, upload_id: string | null): Promise<void> {
      await must(urlOf(key), 'DELETE', [404])
      for (const id of upload_id ? [upload_id] : await unfinished(key)) {
        // 405 and 501: the store does not support this; its life cycle rules must remove the parts.
        await must(urlOf(key, { uploadId: id }), 'DELETE', [404, 405, 501])
      }
    },
  }

  /** Keys below `prefix` that were last written before then (epoch milliseconds). */
  async function olderThan(prefix: string, before: number): Promise<string[]> {
    const keys: string[] = []
    let token: string | null = null
    do {
      const target = new URL(endpoint)
      target.searchParams.set('list-type', '2')
      target.searchParams.set('prefix', prefix)
      if (token) target.searchParams.set('continuation-token', token)
      const text = await (await must(target, 'GET')).text()
      for (const [, entry = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const [key, modified] = [elementOf(entry, 'Key'), elementOf(entry, 'LastModified')]
        if (key && modified && Date.parse(modified) < before) keys.push(key)
      }
      token = elementOf(text, 'NextContinuationToken')
    } while (token)
    return keys
  }

  async function unfinished(key: string): Promise<string[]> {
    const target = new URL(endpoint)
    target.searchParams.set('uploads', '')
    target.searchParams.set('prefix', key)
    const answer = await ask(target, 'GET')
    if (!answer.ok) return []
    return [...(await answer.text()).matchAll(/<UploadId>([^<]+)<\/UploadId>/g)].map((found) =>
      unescapeXml(found[1] ?? ''),
    )
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new StartError(`${MALFORMED}，其中的 % 写成 %25`)
  }
}

export type ObjectStore = ReturnType<typeof openObjectStore>

const elementOf = (xml: string, name: string): string | null => {
  const found = new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml)
  return found?.[1] ? unescapeXml(found[1]) : null
}
const XML: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&' }
const unescapeXml = (text: string): string =>
  text.replace(/&(lt|gt|quot|apos|amp);/g, (entity) => XML[entity] ?? entity)
