import { AwsClient } from 'aws4fetch'
import { signUpload, type UploadStep } from '#contract/upload.ts'
import { call } from '../call.ts'
import type { Credentials } from './credentials.ts'

type S3Credentials = Extract<Credentials, { kind: 's3' }>

const METHODS = { create: 'POST', part: 'PUT', list: 'GET', complete: 'POST', abort: 'DELETE' } as const
const URL_SECONDS = 600

/** A request that Uppy asks to sign. */
export interface S3Request {
  method: string
  key: string
  uploadId?: string
  partNumber?: number
}

/** The step of a multipart upload that a request performs. */
export function stepOf({ method, uploadId, partNumber }: S3Request): UploadStep {
  if (uploadId === undefined) return { step: 'create' }
  if (partNumber !== undefined) return { step: 'part', upload_id: uploadId, part: partNumber }
  const step = method === 'GET' ? 'list' : method === 'DELETE' ? 'abort' : 'complete'
  return { step, upload_id: uploadId }
}

/** Signs with the page's temporary keys if it has any; otherwise the server signs. */
export async function signRequest(request: S3Request, credentials: S3Credentials): Promise<{ url: string }> {
  const step = stepOf(request)
  const { accessKeyId, accessKeySecret, securityToken, endpoint, region } = credentials
  if (!accessKeyId || !accessKeySecret) {
    const uri = request.key.split('/').at(-1) ?? ''
    return call(signUpload, { params: { uri }, body: step })
  }
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey: accessKeySecret,
    ...(securityToken ? { sessionToken: securityToken } : {}),
    service: 's3',
    region,
  })
  const target = new URL(`${endpoint}/${request.key}`)
  target.searchParams.set('X-Amz-Expires', String(URL_SECONDS))
  if (step.step === 'create') target.searchParams.set('uploads', '')
  else target.searchParams.set('uploadId', step.upload_id)
  if (step.step === 'part') target.searchParams.set('partNumber', String(step.part))
  const { url } = await client.sign(target, { method: METHODS[step.step], aws: { signQuery: true } })
  return { url }
}
