import { z } from 'zod'
import { Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Files of one crowd upload. */
export const UPLOAD_FILES_MAX = 20
/** Bytes of one file, and of all together (the message says 1000M). */
export const UPLOAD_FILE_MAX = 50 * 1024 ** 2
export const UPLOAD_TOTAL_MAX = 1000 * 1024 ** 2
export const UPLOAD_ENDINGS = ['.txt', '.text', '.csv', '.zip'] as const
/** Archives. */
export const ZIP_ENTRIES_MAX = 1000
export const ZIP_RATIO_MAX = 100
export const ZIP_UNPACKED_MAX = 5 * 1024 ** 3
/** Unfinished uploads, and finished ones that no crowd took, go after a day. */
export const UPLOAD_KEPT_SECONDS = 86_400
/** How often the browser asks for new credentials, milliseconds. */
export const STS_REFRESH_MS = 300_000
/** The embedded endpoint (tus). A finished upload's `uri` is the last part of its URL. */
export const CROWD_UPLOAD_PATH = '/api/oss/upload'

/** Why a file may not be chosen, in words; null when it may. `others`: those already in the list. */
export function fileFault(
  file: { name: string; size: number },
  others: readonly { name: string; size: number }[],
): string | null {
  if (!UPLOAD_ENDINGS.some((ending) => file.name.toLowerCase().endsWith(ending))) return '不支持上传该类型文件'
  if (file.size === 0) return '不能上传空文件'
  if (file.size > UPLOAD_FILE_MAX) return '单个文件大小不能超过 50M'
  if (others.length >= UPLOAD_FILES_MAX) return `最多上传 ${UPLOAD_FILES_MAX} 个文件`
  if (others.reduce((sum, other) => sum + other.size, file.size) > UPLOAD_TOTAL_MAX)
    return '可上传文件总大小不能超过1000M'
  if (others.some((other) => other.name === file.name && other.size === file.size)) return `「${file.name}」已在列表中`
  return null
}

/** Short-lived credentials for uploading, limited to the caller's own prefix and to writing. */
export const getUploadCredentials = endpoint({
  method: 'GET',
  path: '/api/oss/sts_token',
  group: '文件上传',
  summary: '浏览器直传的临时凭证；每 300000 毫秒刷新一次',
  changes: true,
  data: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('tus'), endpoint: z.string(), token: z.string(), expires_at: Seconds }),
    z.object({
      kind: z.literal('s3'),
      endpoint: z.string(),
      bucket: z.string(),
      region: z.string(),
      prefix: z.string(),
      /** null: the store has no STS, each part is signed by the server instead. */
      accessKeyId: z.string().nullable(),
      accessKeySecret: z.string().nullable(),
      securityToken: z.string().nullable(),
      expires_at: Seconds,
    }),
  ]),
})
