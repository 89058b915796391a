import { UPLOAD_PATH } from '#contract/import.ts'
import {
  CROWD_UPLOAD_PATH,
  createUpload,
  finishUpload,
  getUploadCredentials,
  signUpload,
  UPLOAD_TOKEN_HEADER,
  type UploadPurpose,
  type UploadStep,
} from '#contract/upload.ts'
import type { Caller } from './caller.ts'

const TUS = { 'sec-fetch-site': 'same-origin', 'tus-resumable': '1.0.0' }

/** A listening server. */
export interface ListeningServer {
  origin(): Promise<string>
}

/** Announces an upload; a 201 names where its bytes go. */
export async function beginUpload(at: ListeningServer, { cookie }: Caller, size: number, name = 'people.csv') {
  return fetch(`${await at.origin()}${UPLOAD_PATH}`, {
    method: 'POST',
    headers: {
      ...TUS,
      cookie,
      'upload-length': String(size),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  })
}

export async function sendPart(at: ListeningServer, { cookie }: Caller, id: string, from: number, bytes: Buffer) {
  return fetch(`${await at.origin()}${UPLOAD_PATH}/${id}`, {
    method: 'PATCH',
    headers: { ...TUS, cookie, 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' },
    body: new Uint8Array(bytes),
  })
}

export async function receivedBytes(at: ListeningServer, { cookie }: Caller, id: string): Promise<number> {
  const answer = await fetch(`${await at.origin()}${UPLOAD_PATH}/${id}`, {
    method: 'HEAD',
    headers: { ...TUS, cookie },
  })
  return Number(answer.headers.get('upload-offset'))
}

export const uploadIdOf = (begun: Response): string => begun.headers.get('location')?.split('/').at(-1) ?? ''

/** Uploads a file in two parts, as a browser does; answers its id. */
export async function uploadTo(
  at: ListeningServer,
  caller: Caller,
  content: string | Buffer,
  name?: string,
): Promise<string> {
  const bytes = Buffer.from(content)
  const begun = await beginUpload(at, caller, bytes.length, name)
  if (begun.status !== 201) throw new Error(`upload: ${begun.status} ${await begun.text()}`)
  const id = uploadIdOf(begun)
  const half = Math.floor(bytes.length / 2)
  for (const [from, to] of [
    [0, half],
    [half, bytes.length],
  ] as const) {
    const sent = await sendPart(at, caller, id, from, bytes.subarray(from, to))
    if (sent.status !== 204) throw new Error(`upload: ${sent.status} ${await sent.text()}`)
  }
  return id
}

/** The headers of a caller's requests to the endpoint for crowds' files. */
export async function crowdTus(caller: Caller): Promise<Record<string, string>> {
  const given = await caller.get(getUploadCredentials)
  if (given.kind !== 'tus') throw new Error('the store is not the embedded one')
  return { 'tus-resumable': '1.0.0', [UPLOAD_TOKEN_HEADER]: given.token }
}

/** Announces a crowd's file; a 201 names where its bytes go. */
export async function beginCrowdUpload(at: ListeningServer, caller: Caller, size: number, name = 'ids.txt') {
  return fetch(`${await at.origin()}${CROWD_UPLOAD_PATH}`, {
    method: 'POST',
    headers: {
      ...(await crowdTus(caller)),
      'upload-length': String(size),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  })
}

/** Asks about a crowd's file, sends bytes to it, or cancels it. */
export async function touchCrowdUpload(
  at: ListeningServer,
  caller: Caller,
  method: 'HEAD' | 'PATCH' | 'DELETE',
  uri: string,
  part?: { from: number; bytes: Buffer },
) {
  return fetch(`${await at.origin()}${CROWD_UPLOAD_PATH}/${uri}`, {
    method,
    headers: {
      ...(await crowdTus(caller)),
      ...(part ? { 'upload-offset': String(part.from), 'content-type': 'application/offset+octet-stream' } : {}),
    },
    ...(part ? { body: new Uint8Array(part.bytes) } : {}),
  })
}

/** Uploads a crowd's file in one request; answers its uri. */
export async function uploadCrowdFile(at: ListeningServer, caller: Caller, content: string | Buffer, name?: string) {
  const bytes = Buffer.from(content)
  const begun = await beginCrowdUpload(at, caller, bytes.length, name)
  if (begun.status !== 201) throw new Error(`upload: ${begun.status} ${await begun.text()}`)
  const uri = uploadIdOf(begun)
  const sent = await touchCrowdUpload(at, caller, 'PATCH', uri, { from: 0, bytes })
  if (sent.status !== 204) throw new Error(`upload: ${sent.status} ${await sent.text()}`)
  return uri
}

/** Uploads a whole file into the object store, as a page does; answers its uri. */
export async function uploadToStore(
  caller: Caller,
  purpose: UploadPurpose,
  content: string | Buffer,
  name: string,
): Promise<{ uri: string; key: string }> {
  const bytes = Buffer.from(content)
  const given = await caller.get(getUploadCredentials, { query: { purpose } })
  if (given.kind !== 's3') throw new Error('the store is not the object store')
  const made = await caller.get(createUpload, { body: { name, size: bytes.length, prefix: given.prefix } })
  const { uri } = made
  const signed = async (step: UploadStep) => (await caller.get(signUpload, { params: { uri }, body: step })).url
  const begun = await fetch(await signed({ step: 'create' }), { method: 'POST' })
  const upload_id = /<UploadId>([^<]+)/.exec(await begun.text())?.[1] ?? ''
  const parts: string[] = []
  for (let from = 0; from < bytes.length; from += PART_BYTES) {
    const part = parts.length + 1
    const sent = await fetch(await signed({ step: 'part', upload_id, part }), {
      method: 'PUT',
      body: new Uint8Array(bytes.subarray(from, from + PART_BYTES)),
    })
    if (sent.status !== 200) throw new Error(`upload: ${sent.status} ${await sent.text()}`)
    parts.push(`<Part><PartNumber>${part}</PartNumber><ETag>${sent.headers.get('etag')}</ETag></Part>`)
  }
  await fetch(await signed({ step: 'complete', upload_id }), {
    method: 'POST',
    body: `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`,
  })
  await caller.get(finishUpload, { params: { uri } })
  return made
}
const PART_BYTES = 5 * 1024 ** 2
