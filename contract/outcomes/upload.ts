import { z } from 'zod'
import { AnyOutcome, entry, plain } from './entry.ts'

const Max = z.int().positive()

/** Why a file cannot be chosen, sent or used. */
export const UPLOAD_OUTCOMES = {
  upload_type_refused: plain('不支持上传该类型文件'),
  upload_name_too_long: entry({ max: Max }, ({ max }) => `文件名不能超过 ${max} 个字符`),
  upload_empty: plain('不能上传空文件'),
  // The sentences of the specification's limits are its own.
  upload_too_large: entry({ mb: Max }, ({ mb }) => `单个文件大小不能超过 ${mb === 50 ? '50M' : `${mb} MB`}`),
  upload_too_many_files: entry({ max: Max }, ({ max }) => `最多上传 ${max} 个文件`),
  upload_total_too_large: entry(
    { mb: Max },
    ({ mb }) => `可上传文件总大小不能超过${mb === 1000 ? '1000M' : ` ${mb} MB`}`,
  ),
  upload_listed_already: entry({ name: z.string() }, ({ name }) => `「${name}」已在列表中`),
  /** Hashed values may be longer than raw ones. */
  upload_refused_once_hashed: entry({ cause: AnyOutcome }, ({ cause }, say) => `加密后${say(cause)}，请拆分文件`),

  upload_size_missing: plain('请求缺少文件大小'),
  upload_name_missing: plain('请求缺少文件名'),
  upload_header_wrong: entry({ header: z.string() }, ({ header }) => `上传协议的请求头 ${header} 缺少或不正确`),
  upload_in_parts_unsupported: plain('不支持把文件分成几个上传再拼接（Upload-Concat），请作为一个文件上传'),
  upload_quota_of_crowds: plain('已上传而未提交的文件过多，请先提交或删除其中一些'),
  upload_quota_of_imports: plain('已上传而未导入的文件过多，请先导入或取消其中一些'),
  upload_quota_used: entry(
    { gb: Max },
    ({ gb }) => `未使用的上传（人群文件与导入文件合计）不能超过 ${gb} GB，请先提交、导入或删除其中一些`,
  ),
  upload_disk_full: plain('磁盘空间不足，无法接收文件；请清理磁盘后再上传'),
  upload_without_object_store: plain('没有设置对象存储，请用内置的上传地址'),
  upload_to_object_store: plain('已设置对象存储，请直传到对象存储'),
  upload_needs_object_store: plain('网页与任务分开运行时，需要设置 OBJECT_STORE_URL 才能上传文件'),
  upload_offset_differs: plain('上传位置与已收到的不一致，请重试', 'retry'),
  upload_expired: plain('这次上传已过期，请重新上传'),
  upload_failed: plain('上传失败，请重试', 'retry'),

  upload_missing: plain('请上传文件'),
  upload_unfinished: plain('文件尚未上传完成'),
  upload_size_differs: plain('收到的文件大小与上传前不一致，请重新上传'),
  upload_damaged: plain('服务器上的文件不完整（大小与上传时不同），请重新上传'),
  uploads_unfinished: plain('包含未上传文件，请上传或删除后提交'),
  upload_used_already: entry({ name: z.string() }, ({ name }) => `文件「${name}」已提交过，请重新上传`),
} as const
