import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ZipFile } from 'yazl'
import { CONTROL_HEADER } from './control.ts'
import { parseJson, writeJson } from './json.ts'
import { type Sandbox, startSandbox } from './server.ts'

export const SOCIAL_ACCOUNTS = ['9007199254750003', '9007199254750005'] as const
export const VIDEO_ACCOUNTS = ['9107199254750003', '9107199254750005'] as const
/** An account of the other company. */
export const FOREIGN_ACCOUNT = '9107199254750023'

export type Row = Record<string, unknown>
/** The fields of both platforms' answers that tests read; which ones exist depends on the call. */
export interface Data {
  audience_id: bigint
  targeting_id: bigint
  audience_package_id: bigint
  adgroup_id: bigint
  project_id: bigint
  ad_id: bigint
  list: Row[]
  page_info: Row
  file_path: string
  data_source_id: string
  data_list: Row[]
  custom_audience_list: Row[]
  total_num: number
}

export interface ParsedAnswer {
  status: number
  headers: Headers
  code: number
  message: string
  message_cn?: string
  data: Data
}

export interface Bench {
  box: Sandbox
  restart(): Promise<void>
  control(path: string, body?: object): Promise<Record<string, never>>
  read(path: string): Promise<never>
  token(platform: 'social' | 'video', account_ids: readonly string[], scopes?: readonly string[]): Promise<string>
  close(): Promise<void>
}

/** A sandbox for one test file, over real HTTP. */
export async function sandboxForTest(): Promise<Bench> {
  const dir = mkdtempSync(join(tmpdir(), 'renqun-sandbox-'))
  const read = async (response: Response) => {
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text}`)
    return parseJson(text)
  }
  const bench: Bench = {
    box: await startSandbox({ port: 0, dir }),
    async restart() {
      await bench.box.close()
      bench.box = await startSandbox({ port: 0, dir })
      // Earlier connections are closed, which the client may only notice at its next call.
      await fetch(bench.box.url).catch((error: Error) => {
        if (error.message !== 'fetch failed') throw error
      })
    },
    control: async (path, body = {}) =>
      (await read(
        await fetch(`${bench.box.url}/sandbox/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', [CONTROL_HEADER]: bench.box.key },
          body: writeJson(body),
        }),
      )) as never,
    read: async (path) =>
      (await read(
        await fetch(`${bench.box.url}/sandbox/${path}`, { headers: { [CONTROL_HEADER]: bench.box.key } }),
      )) as never,
    async token(platform, account_ids, scopes) {
      const made = await bench.control('tokens', { platform, account_ids, ...(scopes ? { scopes } : {}) })
      return String(made.access_token)
    },
    async close() {
      await bench.box.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
  // Processing is immediate unless a test sets it.
  await bench.control('switches', { processing_seconds: 0 })
  return bench
}

async function parsed(response: Response): Promise<ParsedAnswer> {
  const body: unknown = parseJson(await response.text())
  return { ...(body as Omit<ParsedAnswer, 'status' | 'headers'>), status: response.status, headers: response.headers }
}

const text = (value: unknown) => (typeof value === 'string' ? value : writeJson(value))
export const queryText = (values: object) =>
  new URLSearchParams(Object.entries(values).map(([name, value]): [string, string] => [name, text(value)])).toString()

/** Calls the social platform with the required parameters; `carry` overrides them. */
export function socialCaller(bench: { box: Pick<Sandbox, 'socialUrl'> }, token: () => string, version = 'v3.0') {
  const address = (path: string, carry: object = {}) => {
    const always = {
      access_token: token(),
      timestamp: String(Math.floor(Date.now() / 1000)),
      nonce: randomBytes(8).toString('hex'),
    }
    return `${bench.box.socialUrl}/${version}/${path}?${queryText({ ...always, ...carry })}`
  }
  return {
    address,
    get: async (path: string, query: object = {}, carry: object = {}) =>
      parsed(await fetch(address(path, { ...query, ...carry }))),
    post: async (path: string, body: object, headers: Record<string, string> = {}, carry: object = {}) =>
      parsed(
        await fetch(address(path, carry), {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: writeJson(body),
        }),
      ),
    async file(
      fields: Record<string, string>,
      name: string,
      content: string | Buffer,
      headers: Record<string, string> = {},
    ) {
      const form = new FormData()
      for (const [field, value] of Object.entries(fields)) form.set(field, value)
      form.set('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name)
      return parsed(await fetch(address('custom_audience_files/add'), { method: 'POST', body: form, headers }))
    },
  }
}

/** Calls the video engine under /open_api/2/. */
export function videoCaller(bench: { box: Pick<Sandbox, 'videoUrl'> }, token: () => string) {
  const address = (path: string) => `${bench.box.videoUrl}/open_api/2/${path}`
  return {
    get: async (path: string, query: object) =>
      parsed(await fetch(`${address(path)}?${queryText(query)}`, { headers: { 'access-token': token() } })),
    post: async (path: string, body: object) =>
      parsed(
        await fetch(address(path), {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'access-token': token() },
          body: writeJson(body),
        }),
      ),
    async upload(advertiser_id: string, content: Buffer, fields: Record<string, string> = {}, name = 'part.zip') {
      const form = new FormData()
      form.set('advertiser_id', advertiser_id)
      for (const [field, value] of Object.entries(fields)) form.set(field, value)
      form.set('file', new Blob([new Uint8Array(content)]), name)
      return parsed(
        await fetch(address('dmp/data_source/file/upload/'), {
          method: 'POST',
          headers: { 'access-token': token() },
          body: form,
        }),
      )
    },
  }
}

export const md5 = (value: string | Buffer) => createHash('md5').update(value).digest('hex')
export const sha256 = (value: string) => createHash('sha256').update(value).digest('hex')

export async function zip(files: Record<string, string | Buffer>): Promise<Buffer> {
  const archive = new ZipFile()
  for (const [name, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), name)
  archive.end()
  const chunks: Buffer[] = []
  for await (const chunk of archive.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const varint = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)])
const field = (no: number, bytes: Buffer) => Buffer.concat([Buffer.from([no * 8 + 2, ...varint(bytes.length)]), bytes])
export const idItem = (dataType: number, id: string) =>
  Buffer.concat([Buffer.from([2 * 8, ...varint(dataType)]), field(3, Buffer.from(id))])
/** A serialised DmpData with ids of one type. */
export const dmpData = (dataType: number, ids: readonly string[]) =>
  Buffer.concat(ids.map((id) => field(1, idItem(dataType, id))))
export const dmpLine = (dataType: number, ids: readonly string[]) => `${dmpData(dataType, ids).toString('base64')}\n`
