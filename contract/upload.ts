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
/** Files whose values the browser hashes may be larger: bytes of a chosen one, and of what becomes of one or of all. */
export const HASHED_FILE_MAX = 200 * MB
export const HASHED_SENT_MAX = 1100 * MB
const HASHED_TOTAL_MAX = 5 * 1024 * MB
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

/** Why a file to be hashed in the browser cannot be chosen; null when it can. What is hashed is checked when it is sent. */
export const rawFileFault = (file: Sized, others: readonly Sized[]): Outcome | null =>
  file.size > HASHED_FILE_MAX
    ? outcome('upload_too_large', { mb: HASHED_FILE_MAX / MB })
    : (fileFault(file, others, true) ?? listedFault(file, others))

interface Sized {
  name: string
  size: number
}

/**
 * Why a file cannot be chosen; null when it can. `others`: the files already in the list. `isHashed`: it holds what the
 * browser made of a file's values, two to five times its size.
 */
export function fileFault({ name, size }: Sized, others: readonly Sized[], isHashed = false): Outcome | null {
  const [fileMax, totalMax] = isHashed ? [HASHED_SENT_MAX, HASHED_TOTAL_MAX] : [UPLOAD_FILE_MAX, UPLOAD_TOTAL_MAX]
  if (!UPLOAD_ENDINGS.some((ending) => name.toLowerCase().endsWith(ending))) return outcome('upload_type_refused')
  const tooLong = nameFault(name)
  if (tooLong) return tooLong
  if (size === 0) return outcome('upload_empty')
  if (size > fileMax) return outcome('upload_too_large', { mb: fileMax / MB })
  if (others.length >= UPLOAD_FILES_MAX) return outcome('upload_too_many_files', { max: UPLOAD_FILES_MAX })
  const total = others.reduce((sum, other) => sum + other.size, size)
  if (total > totalMax) return outcome('upload_total_too_large', { mb: totalMax / MB })
  // Hashes of two files are of one size if the files have as many lines.
  return isHashed ? null : listedFault({ name, size }, others)
}

const listedFault = ({ name, size }: Sized, others: readonly Sized[]): Outcome | null =>
  others.some((other) => other.name === name && other.size === size) ? outcome('upload_listed_already', { name }) : null

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
  holdsSecret: true,
  method: 'GET',
  path: '/api/oss/sts_token',
  group,
  summary: '浏览器直传的临时凭证；每 300000 毫秒刷新一次，刷新时带上原来的 prefix',
  changes: true,
  query: z.object({
    purpose: UploadPurpose.default('crowd').describe('用途：crowd 人群文件，import 导入文件'),
    prefix: Prefix.optional().describe('刷新凭证时带上原来的 prefix'),
  }),
  data: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('tus').describe('固定为 tus：发送到本站的上传地址'),
      endpoint: z.string().describe('上传地址'),
      token: z.string().describe('上传令牌，放在请求头 upload-token 中'),
      expires_at: Seconds.describe('凭证失效的时间，时间戳（秒）'),
    }),
    z.object({
      kind: z.literal('s3').describe('固定为 s3：直传到对象存储'),
      endpoint: z.string().describe('对象存储的地址'),
      bucket: z.string().describe('存储桶'),
      region: z.string().describe('区域'),
      prefix: z.string().describe('对象键的前缀，只能写在它下面'),
      /** null: the store has no STS, so the server signs each request. */
      accessKeyId: z.string().nullable().describe('临时访问密钥 ID；null 表示由本站为每个请求签名'),
      accessKeySecret: z.string().nullable().describe('临时访问密钥；由本站签名时为 null'),
      securityToken: z.string().nullable().describe('临时安全令牌；由本站签名时为 null'),
      expires_at: Seconds.describe('凭证失效的时间，时间戳（秒）'),
    }),
  ]),
})

/** Announces a file that is sent directly to the object store; the embedded endpoint announces files by tus. */
export const createUpload = endpoint({
  method: 'POST',
  path: '/api/oss/uploads',
  group,
  summary: '登记一个要直传到对象存储的文件，返回它的 uri 与对象键',
  body: z.object({
    name: FileName.describe('文件名，1 到 255 个字符'),
    size: z.int().nonnegative().describe('文件大小，字节'),
    prefix: Prefix.describe('取得凭证时的 prefix'),
    hashed: z.boolean().default(false).describe('内容由浏览器加密（哈希）生成；允许更大'),
  }),
  data: z.object({ uri: z.string().describe('上传的 uri，提交时用它'), key: z.string().describe('对象键') }),
})

/** One step of a multipart upload, as a URL that is valid for a short time. */
export const signUpload = endpoint({
  method: 'POST',
  path: '/api/oss/uploads/{uri}/sign',
  group,
  summary: '为分片上传的一步签名：新建、上传一片、列出已传的片、合并、放弃',
  params: z.object({ uri: Uri.describe('上传的 uri') }),
  body: z.discriminatedUnion('step', [
    z.object({ step: z.literal('create').describe('新建分片上传') }),
    z.object({
      step: z.literal('part').describe('上传一片'),
      upload_id: z.string().min(1).max(1024).describe('对象存储给出的分片上传 ID'),
      part: z.int().min(1).max(10_000).describe('分片序号，1 到 10000'),
    }),
    z.object({
      step: z.enum(['list', 'complete', 'abort']).describe('list 列出已传的片，complete 合并，abort 放弃'),
      upload_id: z.string().min(1).max(1024).describe('对象存储给出的分片上传 ID'),
    }),
  ]),
  data: z.object({ url: z.string().describe('已签名的地址，短时间内有效') }),
})
export type UploadStep = z.infer<typeof signUpload.body>

/** Reports that all parts are sent and joined; the server checks the object itself. */
export const finishUpload = endpoint({
  method: 'POST',
  path: '/api/oss/uploads/{uri}/finish',
  group,
  summary: '直传完成：核对对象的大小后才算上传成功',
  params: z.object({ uri: Uri.describe('上传的 uri') }),
  data: Nothing,
})

export const removeUpload = endpoint({
  method: 'DELETE',
  path: '/api/oss/uploads/{uri}',
  group,
  summary: '取消或删除一个还没有提交的上传',
  params: z.object({ uri: Uri.describe('上传的 uri') }),
  data: Nothing,
})
