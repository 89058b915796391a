import { z } from 'zod'
import { CntType, CustomChild, CustomStatus } from './audience.ts'
import { CommaList, ID_MAX, Id, IdParam, itemName, Nothing, PageQuery, Seconds, SecondsRange } from './common.ts'
import { CrowdListQuery } from './crowd-list.ts'
import { DeletedCrowds, RestoreIds } from './deleted.ts'
import { endpoint } from './endpoint.ts'
import { IdentifierType } from './identifier.ts'
import { outcome, sentenceOf } from './outcome.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { FileName, UPLOAD_FILES_MAX } from './upload.ts'

const group = '自定义人群'

/** Kinds of log entries by the wire's number. */
export const OP_TYPES = { 0: '通用', 1: '新建', 2: '修改', 3: '删除', 4: '提交', 5: '发布' } as const
/** How an upload changes a crowd. */
export const OPERATION_TYPES = { 1: '追加文件', 2: '删减文件' } as const

export const CrowdName = itemName('请输入人群名称')

/**
 * What became of a crowd's lines, over all uploads that its version in force is made of:
 * lines = malformed + duplicate + valid, valid = repeated + removed + unique.
 */
export const Funnel = z.object({
  lines: z.int(),
  malformed: z.int(),
  /** Lines whose identifier is on an earlier line of the same upload. */
  duplicate: z.int(),
  valid: z.int(),
  /** Identifiers that the crowd already had from an earlier upload. */
  repeated: z.int(),
  /** Identifiers that a removal deleted. */
  removed: z.int(),
  /** Distinct identifiers of the version in force. */
  unique: z.int(),
  counted_at: Seconds.nullable(),
  /** One column per platform account it was pushed to. */
  accounts: z.array(
    z.object({
      child_id: Id,
      account_id: Id,
      account_name: z.string(),
      /** The platform's own id of the account, since several accounts may have the same name. */
      external_id: z.string(),
      cnt_type: CntType,
      /** Identifiers of the version of its last push: sent + suppressed + no_consent + not_sendable + waiting. */
      unique: z.int(),
      sent: z.int(),
      suppressed: z.int(),
      no_consent: z.int(),
      not_sendable: z.int(),
      waiting: z.int(),
      accepted: z.int().nullable(),
      covered: z.int().nullable(),
      at: Seconds.nullable(),
    }),
  ),
})
export type Funnel = z.infer<typeof Funnel>

export const CustomCrowd = z.object({
  id: Id,
  is_children: z.literal(false),
  name: z.string(),
  tag_id: z.string(),
  status: CustomStatus,
  reason: z.string().nullable(),
  reason_outcome: AnyOutcome.nullable(),
  /** The task of the last check where that failed and can be retried. */
  retry_task_id: Id.nullable(),
  /** The running check: progress from 0 to 1, and its current step. */
  progress: z.number().nullable(),
  stage: z.string(),
  creator_id: Id,
  creator: z.string(),
  created_at: Seconds,
  adv_id: Id,
  adv_name: z.string(),
  dir_id: Id,
  user_id_type: IdentifierType,
  /** Platforms it may be pushed to. */
  cnt_type: z.array(CntType),
  /** Distinct identifiers; null while the first version is computed or when that failed. */
  user_count: z.int().nullable(),
  /** Our people among them. */
  matched: z.int().nullable(),
  counted_at: Seconds.nullable(),
  /** Files of the last upload that could not be read; none of their lines count. */
  unread_files: z.int(),
  audiences: z.array(CustomChild),
})
export type CustomCrowd = z.infer<typeof CustomCrowd>

const Path = <const P extends string>(path: P) => `/api/v1/gdtcrowd/${path}` as const

export const listCustomCrowds = endpoint({
  method: 'GET',
  path: Path('crowd/custom/list'),
  group,
  summary: '自定义人群列表：上传的人群，及其在各平台账户下的子人群；status 与 tag_id 也按子人群匹配',
  query: CrowdListQuery.extend({
    status: CommaList.pipe(z.array(CustomStatus)).optional(),
    tag_id: z.string().max(100).optional(),
  }),
  data: z.object({ list: z.array(CustomCrowd), total: z.int() }),
})

const MISSING = sentenceOf(outcome('upload_missing'))
const UNFINISHED = sentenceOf(outcome('uploads_unfinished'))
/** An uploaded file, by the `uri` that the upload endpoint returned. */
const UploadedFile = z.object({
  name: FileName,
  size: z.int().nonnegative(),
  uri: z.string(UNFINISHED).min(1, UNFINISHED).max(200),
  /** The browser's report when it hashed the file before sending; null when the file was sent unchanged. */
  hashed: z
    .object({
      from: z.string().max(50),
      lines: z.int().nonnegative(),
      already: z.int().nonnegative(),
      malformed: z.int().nonnegative(),
    })
    .refine((report) => report.already + report.malformed <= report.lines, '浏览器加密的行数对不上')
    .nullable()
    .default(null),
})
const Files = z
  .array(UploadedFile, MISSING)
  .min(1, MISSING)
  .max(UPLOAD_FILES_MAX, sentenceOf(outcome('upload_too_many_files', { max: UPLOAD_FILES_MAX })))

export const addCustomCrowd = endpoint({
  method: 'POST',
  path: Path('crowd/custom/add'),
  group,
  summary: '用已上传的文件新建自定义人群',
  body: z.object({
    user_id_type: z.enum(IdentifierType.options, '请选择数据类型'),
    files: Files,
    name: CrowdName,
    /** The last folder of the storage path. */
    dir_id: z.int('请选择存储路径').positive('请选择存储路径').max(ID_MAX, '请选择存储路径'),
    adv_id: Id,
  }),
  data: z.object({ id: Id }),
})

export const updateCustomCrowd = endpoint({
  method: 'PUT',
  path: Path('crowd/custom/update'),
  group,
  summary: '追加或删减文件（生成新版本），或改名',
  body: z.object({
    id: Id,
    name: CrowdName.optional(),
    operation_type: z.union([z.literal(1), z.literal(2)], '请选择更新类型').optional(),
    files: Files.optional(),
  }),
  data: Nothing,
})

export const getCustomCrowd = endpoint({
  method: 'GET',
  path: Path('crowd/custom/get'),
  group,
  summary: '一个自定义人群与它的漏斗',
  query: z.object({ id: IdParam }),
  data: z.object({ crowd: CustomCrowd, funnel: Funnel }),
})

export const moveCustomCrowds = endpoint({
  method: 'POST',
  path: Path('crowd/custom/move'),
  group,
  summary: '移动到文件夹',
  body: z.object({
    id: z.union([Id, z.array(Id).min(1, '请选择文件').max(500, '一次最多选择 500 个人群')], '请选择文件'),
    dir_id: z.int('请选择移动的文件夹').positive('请选择移动的文件夹').max(ID_MAX, '请选择移动的文件夹'),
  }),
  data: Nothing,
})

/**
 * `refusal_outcome` says why it may not be deleted, and `msg` is its sentence; null and OK when it may. `only_here` says
 * why a child cannot be deleted on its platform: the account is no longer authorised. With `local=1` it is then deleted
 * only here, and may remain on the platform.
 */
export const deleteCustomCrowd = endpoint({
  method: 'DELETE',
  path: Path('crowd/custom/delete'),
  group,
  summary:
    '删除人群：带 cnt_type 时删除子人群，否则删除上传的人群；check=1 只检查；账户授权已失效的子人群，local=1 只在本地删除',
  query: z.object({
    id: IdParam,
    advertiser_id: IdParam,
    cnt_type: CntType.optional(),
    check: z.enum(['0', '1']).default('0'),
    local: z.enum(['0', '1']).default('0'),
  }),
  data: z.object({
    msg: z.string(),
    refusal_outcome: AnyOutcome.nullable(),
    only_here: z.string().nullable(),
    only_here_outcome: AnyOutcome.nullable(),
  }),
})

export const listDeletedCustomCrowds = endpoint({
  method: 'GET',
  path: Path('crowd/custom/deleted'),
  group,
  summary: '一小时内删除、仍可恢复的自定义人群，最近删除的在前',
  data: DeletedCrowds,
})

export const undeleteCustomCrowds = endpoint({
  method: 'POST',
  path: Path('crowd/custom/undelete'),
  group,
  summary: '撤销一小时内的删除，全部可恢复才恢复',
  body: RestoreIds,
  data: Nothing,
})

export const CrowdFile = z.object({
  id: Id,
  name: z.string(),
  user_id_type: IdentifierType,
  size: z.int(),
  status: z.enum(['waiting', 'checking', 'done', 'failed']),
  /** Why it could not be read. */
  error: z.string().nullable(),
  error_outcome: AnyOutcome.nullable(),
  /** line_count = valid_count + duplicate + malformed; null until it is done. */
  line_count: z.int().nullable(),
  valid_count: z.int().nullable(),
  duplicate: z.int().nullable(),
  malformed: z.int().nullable(),
  reasons: z.array(z.object({ reason: z.string(), outcome: AnyOutcome, lines: z.int() })),
  hashed: UploadedFile.shape.hashed,
  version: z.int(),
  op_at: Seconds,
})
export type CrowdFile = z.infer<typeof CrowdFile>

export const listCrowdFiles = endpoint({
  method: 'GET',
  path: Path('crowd/custom/files'),
  group,
  summary: '人群的文件；格式不正确的行在 /api/v1/gdtcrowd/crowd/custom/files/{id}/malformed 下载',
  query: PageQuery.extend({
    /** Crowd id; with `cnt_type`, the id of one of its audiences. */
    id: IdParam,
    cnt_type: CntType.optional(),
    name: z.string().max(100).optional(),
    op_at: SecondsRange.optional(),
  }),
  data: z.object({ files: z.array(CrowdFile), total_files_num: z.int() }),
})
export const malformedPath = (file_id: number) => `/api/v1/gdtcrowd/crowd/custom/files/${file_id}/malformed`

export const CrowdLog = z.object({
  id: Id,
  op_type: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)]),
  /** What happened, as a sentence. */
  what: z.string(),
  operation_type: z.union([z.literal(1), z.literal(2)]).nullable(),
  user_id_type: IdentifierType,
  op_at: Seconds,
  op_by: z.string(),
  original_files: z.array(z.object({ name: z.string(), size: z.int() })),
  /** Only for entries that made a version. */
  version: z
    .object({
      no: z.int(),
      status: z.enum(['computing', 'done', 'failed']),
      lines: z.int().nullable(),
      valid: z.int().nullable(),
      duplicate: z.int().nullable(),
      malformed: z.int().nullable(),
      /** Distinct identifiers of the crowd after this version. */
      size: z.int().nullable(),
      is_current: z.boolean(),
      can_restore: z.boolean(),
      error: z.string().nullable(),
      error_outcome: AnyOutcome.nullable(),
      /** For a restore: the version that it brought back. */
      restored_from: z.int().nullable(),
    })
    .nullable(),
})
export type CrowdLog = z.infer<typeof CrowdLog>

export const listCrowdLogs = endpoint({
  method: 'GET',
  path: Path('crowd/custom/logs'),
  group,
  summary: '人群的更新记录',
  query: PageQuery.extend({
    /** Crowd id; with `cnt_type`, the id of an audience, for its crowd's entries and its own. */
    id: IdParam,
    cnt_type: CntType.optional(),
    op_type: z.coerce.number().int().min(0).max(5).optional(),
  }),
  data: z.object({ list: z.array(CrowdLog), total: z.int() }),
})

export const restoreCrowdVersion = endpoint({
  method: 'POST',
  path: Path('crowd/custom/restore'),
  group,
  summary: '恢复到一个版本（生成新版本）',
  body: z.object({ id: Id, version: z.int().positive() }),
  data: z.object({ version: z.int() }),
})
