import { expect, test } from 'vitest'
import { signRequest, stepOf } from './sign-request.ts'

test.each([
  [{ method: 'POST', key: 'k' }, { step: 'create' }],
  [
    { method: 'PUT', key: 'k', uploadId: 'u', partNumber: 3 },
    { step: 'part', upload_id: 'u', part: 3 },
  ],
  [
    { method: 'GET', key: 'k', uploadId: 'u' },
    { step: 'list', upload_id: 'u' },
  ],
  [
    { method: 'POST', key: 'k', uploadId: 'u' },
    { step: 'complete', upload_id: 'u' },
  ],
  [
    { method: 'DELETE', key: 'k', uploadId: 'u' },
    { step: 'abort', upload_id: 'u' },
  ],
])('%j is one step', (request, step) => {
  expect(stepOf(request)).toEqual(step)
})

test('with temporary keys the page signs, with their token and expiry in the URL', async () => {
  const { url } = await signRequest(
    { method: 'PUT', key: 'crowd-uploads/1/a/b', uploadId: 'u+1', partNumber: 2 },
    {
      kind: 's3',
      endpoint: 'https://store.test/bucket',
      bucket: 'bucket',
      region: 'cn-1',
      prefix: 'crowd-uploads/1/a/',
      accessKeyId: 'TEMP',
      accessKeySecret: 'secret',
      securityToken: 'token',
      expires_at: 0,
    },
  )
  const signed = new URL(url)
  expect(signed.pathname).toBe('/bucket/crowd-uploads/1/a/b')
  expect(Object.fromEntries(signed.searchParams)).toMatchObject({
    uploadId: 'u+1',
    partNumber: '2',
    'X-Amz-Security-Token': 'token',
    'X-Amz-Expires': '600',
    'X-Amz-Credential': expect.stringMatching(/^TEMP\/\d{8}\/cn-1\/s3\/aws4_request$/),
    'X-Amz-Signature': expect.stringMatching(/^[0-9a-f]{64}$/),
  })
})
