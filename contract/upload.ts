import { z } from 'zod'
import { Nothing, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { type Outcome, outcome, sentenceOf } from './outcome.ts'

/** The most files of one crowd upload. */
export const UPLOAD_FILES_MAX = 20
const MB = 1024 ** 2
/** Largest size of one file and of all files together, in bytes. */
export const UPLOAD_FILE_MAX = 50 * MB
export const UPLOAD_TOTAL_MAX = 1000 * MB
/** Longest file name in characters; no operating system has longer ones. */
export const FILE_NAME_MAX = 255
const NAME_TOO_LONG = outcome('upload_name_too_long', { max: FILE_NAME_MAX })
export const FileName = z.string().min(1).max(FILE_NAME_MAX, sentenceOf(NAME_TOO_LONG))
export const UPLOAD_ENDINGS = ['.txt', '.text', '.csv', '.zip'] as const
/** Archives. */
export const ZIP_ENTRIES_MAX = 1000
export const ZIP_UNPACKED_MAX = 5 * 1024 ** 3
/** Seconds after which unfinished uploads, and finished ones that nothing used, are removed. */
export const UPLOAD_KEPT_SECONDS = 86_400
/** How often the browser asks for new credentials, milliseconds. */
export const STS_REFRESH_MS = 300_000
/** The embedded endpoint for crowds (tus). A finished upload's `uri` is the last part of its URL. */
export const CROWD_UPLOAD_PATH = '/api/oss/upload'

/** Why a file with this name cannot be sent; null when it can. */
export const nameFault = (name: string): Outcome | null => (name.length > FILE_NAME_MAX ? NAME_TOO_LONG : null)

/** Why a file cannot be chosen; null when it can. `others`: the files already in the list. */
export function fileFault(
  { name, size }: { name: string; size: number },
  others: readonly { name: string; size: number }[],
): Outcome | null {
  if (!UPLOAD_ENDINGS.some((ending) => name.toLowerCase().endsWith(ending))) return outcome('upload_type_refused')
  const tooLong = nameFault(name)
  if (tooLong) return tooLong
  if (size === 0) return outcome('upload_empty')
  if (size > UPLOAD_FILE_MAX) return outcome('upload_too_large', { mb: UPLOAD_FILE_MAX / MB })
  if (others.length >= UPLOAD_FILES_MAX) return outcome('upload_too_many_files', { max: UPLOAD_FILES_MAX })
  const total = others.reduce((sum, other) => sum + other.size, size)
  if (total > UPLOAD_TOTAL_MAX) return outcome('upload_total_too_large', { mb: UPLOAD_TOTAL_MAX / MB })
  const isListed = others.some((other) => other.name === name && other.size === size)
  return isListed ? outcome('upload_listed_already', { name }) : null
}

const group = '文件上传'
/** The purpose of an upload: identifiers of a crowd, or people and events. */
export const UploadPurpose = z.enum(['crowd', 'import'])
export type UploadPurpose = z.infer<typeof UploadPurpose>
/** An upload's id, `uri` on the wire. Imports of earlier versions had the viewer's number in front. */
const Uri = z.string().regex(/^(\d+-)?[0-9a-f]{32}$/, '上传的文件不存在或已被删除')
/** The key prefix of one page's uploads in the object store; it contains their purpose. */
const Prefix = z.string().regex(/^(crowd|import)-uploads\/\d+\/[0-9a-f]{16}\/$/)
/** Header with the token of `getUploadCredentials` for the embedded endpoints. */
export const UPLOAD_TOKEN_HEADER = 'upload-token'

/** Short-lived upload credentials that can only write below the caller's own prefix. */
export const getUploadCredentials = endpoint({
  method: 'GET',
  path: '/api/oss/sts_token',
  group,
  summary: '浏览器直传的临时凭证；每 300000 毫秒刷新一次，刷新时带上原来的 prefix',
  changes: true,
  query: z.object({ purpose: UploadPurpose.default('crowd'), prefix: Prefix.optional() }),
  data: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('tus'), endpoint: z.string(), token: z.string(), expires_at: Seconds }),
    z.object({
      kind: z.literal('s3'),
      endpoint: z.string(),
      bucket: z.string(),
      region: z.string(),
      prefix: z.string(),
      /** null: the store has no STS, so the server signs each request. */
      accessKeyId: z.string().nullable(),
      accessKeySecret: z.string().nullable(),
      securityToken: z.string().nullable(),
      expires_at: Seconds,
    }),
  ]),
})

/** Announces a file that is sent directly to the object store; the embedded endpoint announces files by tus. */
export const createUpload = endpoint({
  method: 'POST',
  path: '/api/oss/uploads',
  group,
  summary: '登记一个要直传到对象存储的文件，返回它的 uri 与对象键',
  body: z.object({ name: FileName, size: z.int().nonnegative(), prefix: Prefix }),
  data: z.object({ uri: z.string(), key: z.string() }),
})

/** One step of a multipart upload, as a URL that is valid for a short time. */
export const signUpload = endpoint({
  method: 'POST',
  path: '/api/oss/uploads/{uri}/sign',
  group,
  summary: '为分片上传的一步签名：新建、上传一片、列出已传的片、合并、放弃',
  params: z.object({ uri: Uri }),
  body: z.discriminatedUnion('step', [
    z.object({ step: z.literal('create') }),
    z.object({ step: z.literal('part'), upload_id: z.string().min(1).max(1024), part: z.int().min(1).max(10_000) }),
    z.object({ step: z.enum(['list', 'complete', 'abort']), upload_id: z.string().min(1).max(1024) }),
  ]),
  data: z.object({ url: z.string() }),
})
export type UploadStep = z.infer<typeof signUpload.body>

/** Reports that all parts are sent and joined; the server checks the object itself. */
export const finishUpload = endpoint({
  method: 'POST',
  path: '/api/oss/uploads/{uri}/finish',
  group,
  summary: '直传完成：核对对象的大小后才算上传成功',
  params: z.object({ uri: Uri }),
  data: Nothing,
})

export const removeUpload = endpoint({
  method: 'DELETE',
  path: '/api/oss/uploads/{uri}',
  group,
  summary: '取消或删除一个还没有提交的上传',
  params: z.object({ uri: Uri }),
  data: Nothing,
})
