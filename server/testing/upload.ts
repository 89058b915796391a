import { UPLOAD_PATH } from '#contract/import.ts'
import type { Caller, TestApp } from './test-app.ts'

const TUS = { 'sec-fetch-site': 'same-origin', 'tus-resumable': '1.0.0' }

async function originOf({ app }: TestApp): Promise<string> {
  const address = app.server.address()
  return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : await app.listen({ port: 0 })
}

/** Announces an upload; a 201 names where its bytes go. */
export async function beginUpload(app: TestApp, { cookie }: Caller, size: number, name = 'people.csv') {
  return fetch(`${await originOf(app)}${UPLOAD_PATH}`, {
    method: 'POST',
    headers: {
      ...TUS,
      cookie,
      'upload-length': String(size),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  })
}

export async function sendPart(app: TestApp, { cookie }: Caller, id: string, from: number, bytes: Buffer) {
  return fetch(`${await originOf(app)}${UPLOAD_PATH}/${id}`, {
    method: 'PATCH',
    headers: { ...TUS, cookie, 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' },
    body: new Uint8Array(bytes),
  })
}

export async function receivedBytes(app: TestApp, { cookie }: Caller, id: string): Promise<number> {
  const answer = await fetch(`${await originOf(app)}${UPLOAD_PATH}/${id}`, {
    method: 'HEAD',
    headers: { ...TUS, cookie },
  })
  return Number(answer.headers.get('upload-offset'))
}

export const uploadIdOf = (begun: Response): string => begun.headers.get('location')?.split('/').at(-1) ?? ''

/** Uploads a file in two parts, as a browser would; answers its id. */
export async function uploadTo(app: TestApp, caller: Caller, content: string | Buffer, name?: string): Promise<string> {
  const bytes = Buffer.from(content)
  const begun = await beginUpload(app, caller, bytes.length, name)
  if (begun.status !== 201) throw new Error(`upload: ${begun.status} ${await begun.text()}`)
  const id = uploadIdOf(begun)
  const half = Math.floor(bytes.length / 2)
  for (const [from, to] of [
    [0, half],
    [half, bytes.length],
  ] as const) {
    const sent = await sendPart(app, caller, id, from, bytes.subarray(from, to))
    if (sent.status !== 204) throw new Error(`upload: ${sent.status} ${await sent.text()}`)
  }
  return id
}
