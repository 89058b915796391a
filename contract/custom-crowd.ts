import { z } from 'zod'
import { CntType, CustomChild, CustomStatus } from './audience.ts'
import {
  CheckFlag,
  CommaList,
  ID_MAX,
  Id,
  IdParam,
  itemName,
  LocalFlag,
  Nothing,
  PageQuery,
  Seconds,
  SecondsRange,
} from './common.ts'
import { CrowdListQuery } from './crowd-list.ts'
import { DeletedCrowds, RESTORE_DAYS, RestoreIds } from './deleted.ts'
import { endpoint } from './endpoint.ts'
import { IdentifierType } from './identifier.ts'
import { SentChoice } from './identifier-column.ts'
import { CrowdUser } from './live-plan.ts'
import { outcome, sentenceOf } from './outcome.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { withSpellings } from './spellings.ts'
import { DirId, pathFor } from './storage-path.ts'
import { FILE_NAME_MAX, FileName, UPLOAD_FILES_MAX, ZIP_ENTRIES_MAX } from './upload.ts'

const group = '自定义人群'

/** Kinds of log entries by the wire's number. */
export const OP_TYPES = { 0: '通用', 1: '新建', 2: '修改', 3: '删除', 4: '提交', 5: '发布' } as const
/** How an upload changes a crowd. */
export const OPERATION_TYPES = { 1: '追加文件', 2: '删减文件' } as const

/** Beyond this share of malformed lines the list marks a crowd. */
export const LOSS_MARKED_SHARE = 0.05

export const CrowdName = itemName('请输入人群名称')

/**
 * What became of a crowd's lines, over all uploads that its version in force is made of:
 * lines = malformed + duplicate + valid, valid = repeated + removed + unique.
 */
export const Funnel = z.object({
  lines: z.int().describe('行数：现行版本所含全部上传的总行数；lines = malformed + duplicate + valid'),
  malformed: z.int().describe('无效行数'),
  /** Lines whose identifier is on an earlier line of the same upload. */
  duplicate: z.int().describe('重复行数：同一次上传的前面已有相同标识'),
  valid: z.int().describe('有效行数；valid = repeated + removed + unique'),
  /** Identifiers that the crowd already had from an earlier upload. */
  repeated: z.int().describe('人群在更早的上传中已有的标识数'),
  /** Identifiers that a removal deleted. */
  removed: z.int().describe('被删减掉的标识数'),
  /** Distinct identifiers of the version in force. */
  unique: z.int().describe('现行版本的去重标识数'),
  counted_at: Seconds.nullable().describe('计数的时间，时间戳（秒）；尚无结果时为 null'),
  /** One column per platform account it was pushed to. */
  accounts: z
    .array(
      z.object({
        child_id: Id.describe('子人群 ID'),
        account_id: Id.describe('平台账户 ID'),
        account_name: z.string().describe('平台账户的名称'),
        /** The platform's own id of the account, since several accounts may have the same name. */
        external_id: z.string().describe('平台给账户的编号，用来区分同名账户'),
        cnt_type: CntType,
        /** Identifiers of the version of its last push: sent + suppressed + no_consent + held_out + not_sendable + waiting. */
        unique: z
          .int()
          .describe(
            '最近一次推送所用版本的标识数；= sent + suppressed + no_consent + held_out + not_sendable + waiting',
          ),
        sent: z.int().describe('已发送的标识数'),
        suppressed: z.int().describe('因屏蔽名单而没有发送的标识数'),
        no_consent: z.int().describe('因用户不同意而没有发送的标识数'),
        held_out: z.int().describe('因属于对照组而没有发送的标识数'),
        not_sendable: z.int().describe('平台不接收其类型而没有发送的标识数'),
        waiting: z.int().describe('还在等待发送的标识数'),
        accepted: z.int().nullable().describe('平台接收的标识数；平台不告知时为 null'),
        covered: z.int().nullable().describe('平台返回的覆盖人数；平台不告知时为 null'),
        at: Seconds.nullable().describe('平台给出这些数的时间，时间戳（秒）'),
      }),
    )
    .describe('推送过的平台账户，每个一列'),
})
export type Funnel = z.infer<typeof Funnel>

export const CustomCrowd = z.object({
  id: Id.describe('人群 ID'),
  is_children: z.literal(false).describe('总为 false：这是上传的人群'),
  name: z.string().describe('人群名称'),
  tag_id: z.string().describe('人群编号'),
  status: CustomStatus,
  reason: z.string().nullable().describe('失败的原因，一句话；没有失败时为 null'),
  reason_outcome: AnyOutcome.nullable(),
  /** The task of the last check where that failed and can be retried. */
  retry_task_id: Id.nullable().describe('校验失败且可以重试时，那个任务的 ID；否则为 null'),
  /** The running check: progress from 0 to 1, and its current step. */
  progress: z.number().nullable().describe('正在进行的校验的进度，0 到 1；没有时为 null'),
  stage: z.string().describe('校验的当前步骤'),
  creator_id: Id.describe('创建人 ID'),
  creator: z.string().describe('创建人姓名'),
  created_at: Seconds.describe('创建时间，时间戳（秒）'),
  adv_id: Id.describe('所属广告主 ID'),
  adv_name: z.string().describe('所属广告主名称'),
  dir_id: Id.describe('所在文件夹 ID'),
  user_id_type: IdentifierType,
  /** Platforms it may be pushed to. */
  cnt_type: z.array(CntType).describe('可以推送到的平台编号'),
  /** Distinct identifiers; null while the first version is computed or when that failed. */
  user_count: z.int().nullable().describe('去重后的标识数（不是人数）；首个版本计算中或失败时为 null'),
  /** Our people among them. */
  matched: z.int().nullable().describe('其中匹配到的用户人数；尚未匹配时为 null'),
  counted_at: Seconds.nullable().describe('user_count 的计数时间，时间戳（秒）；尚无结果时为 null'),
  /** Files of the last upload that could not be read; none of their lines count. */
  unread_files: z.int().describe('最近一次上传中无法读取的文件数，这些文件的行都没有计入'),
  unread_members: z.int().describe('最近一次上传的压缩包内未能读取的文件数'),
  invalid_share: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('最近一次上传的无效行占全部行的比例，0 到 1；尚无报告时为 null。超过 0.05 时列表中有标记'),
  control_share: z.int().nullable().describe('对照组的比例，百分数；没有对照组时为 null'),
  audiences: z.array(CustomChild).describe('它在各平台账户下的子人群'),
})
export type CustomCrowd = z.infer<typeof CustomCrowd>

const Path = <const P extends string>(path: P) => `/api/v1/gdtcrowd/${path}` as const

export const listCustomCrowds = endpoint({
  method: 'GET',
  path: Path('crowd/custom/list'),
  group,
  summary: '自定义人群列表：上传的人群，及其在各平台账户下的子人群；status 与 tag_id 也按子人群匹配',
  query: CrowdListQuery.extend({
    status: CommaList.pipe(z.array(CustomStatus))
      .optional()
      .describe('状态，逗号分隔，任一即可，例如 `available,frozen`'),
    tag_id: z.string().max(100).optional().describe('人群编号或平台的人群编号'),
  }),
  data: z.object({ list: z.array(CustomCrowd).describe('本页的人群'), total: z.int().describe('符合条件的人群总数') }),
})

const MISSING = sentenceOf(outcome('upload_missing'))
const UNFINISHED = sentenceOf(outcome('uploads_unfinished'))
/** The browser's report when it hashed the file before sending. lines = hashed + already + malformed. */
const HashedReport = z
  .object({
    from: z.string().max(50).describe('明文的种类，如「手机号明文」'),
    lines: z.int().nonnegative().describe('行数，不含列名行'),
    already: z.int().nonnegative().describe('原本已是密文的行数'),
    malformed: z.int().nonnegative().describe('无效的行数'),
    normalised: z.int().nonnegative().default(0).describe('先规范写法再加密的行数，如去掉 +86、空格与横杠的手机号'),
    marked: z.boolean().default(false).describe('无效行留在浏览器内：文件中以标记行代替，只有行号与原因'),
    local_id: z.string().max(50).nullable().default(null).describe('无效行在浏览器中的编号，供该浏览器下载'),
    unread: z
      .array(z.object({ name: z.string().max(FILE_NAME_MAX).describe('压缩包内的文件名'), outcome: AnyOutcome }))
      .max(ZIP_ENTRIES_MAX)
      .default([])
      .describe('压缩包内浏览器未能读取的文件与原因'),
  })
  .refine((report) => report.already + report.malformed <= report.lines, '浏览器加密的行数对不上')
/** An uploaded file, by the `uri` that the upload endpoint returned. */
const UploadedFile = z.object({
  name: FileName.describe('文件名，1 到 255 个字符'),
  size: z.int().nonnegative().describe('文件大小，字节'),
  uri: z.string(UNFINISHED).min(1, UNFINISHED).max(200).describe('上传接口返回的 uri'),
  hashed: HashedReport.nullable().default(null).describe('浏览器在发送前加密（哈希）文件时的统计；原样发送时为 null'),
  choice: SentChoice.nullable().default(null).describe('取标识的方式；null 时自动识别编码，每行一个标识'),
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
  body: withSpellings(
    z
      .object({
        user_id_type: z.enum(IdentifierType.options, '请选择数据类型').describe('文件里的标识类型'),
        files: Files.describe('已上传完成的文件，1 到 20 个'),
        name: CrowdName.describe('人群名称，1 到 30 个字符，同一文件夹内不可重名'),
        dir_id: DirId.describe('存储路径：所在文件夹 ID'),
        adv_id: Id.optional().describe('广告主 ID；与 adv_name 至少写一个'),
        adv_name: z.string().min(1).max(60).optional().describe('广告主名称，须是自己所属的广告主'),
      })
      .refine(({ adv_id, adv_name }) => adv_id !== undefined || adv_name !== undefined, {
        message: '参数「adv_id」不能缺少',
        path: ['adv_id'],
      }),
    {
      id: pathFor('dir_id'),
    },
  ),
  data: z.object({ id: Id.describe('新人群的 ID') }),
})

export const updateCustomCrowd = endpoint({
  method: 'PUT',
  path: Path('crowd/custom/update'),
  group,
  summary: '追加或删减文件（生成新版本），改名，或移动',
  body: withSpellings(
    z.object({
      id: Id.describe('人群 ID'),
      name: CrowdName.optional().describe('新名称，1 到 30 个字符'),
      operation_type: z
        .union([z.literal(1), z.literal(2)], '请选择更新类型')
        .optional()
        .describe('更新类型：1 追加文件（并集），2 删减文件（移除）'),
      user_id_type: IdentifierType.optional().describe('人群的标识类型，不能改变'),
      files: Files.optional().describe('已上传完成的文件，1 到 20 个；与 operation_type 一起给出'),
      advertiser_id: Id.optional().describe('人群所属的广告主 ID，不能改变'),
      dir_id: DirId.optional().describe('新的文件夹 ID；不填则不移动'),
    }),
    { adv_id: { for: 'advertiser_id', schema: Id } },
  ),
  data: Nothing,
})

export const getCustomCrowd = endpoint({
  method: 'GET',
  path: Path('crowd/custom/get'),
  group,
  summary: '一个自定义人群与它的漏斗',
  query: z.object({ id: IdParam.describe('人群 ID') }),
  data: z.object({
    crowd: CustomCrowd.describe('人群'),
    funnel: Funnel.describe('漏斗：从文件的行到各平台账户的覆盖'),
  }),
})

export const moveCustomCrowds = endpoint({
  method: 'POST',
  path: Path('crowd/custom/move'),
  group,
  summary: '移动到文件夹',
  body: z.object({
    id: z
      .union([Id, z.array(Id).min(1, '请选择文件').max(500, '一次最多选择 500 个人群')], '请选择文件')
      .describe('一个人群 ID，或 1 到 500 个人群 ID 的列表'),
    dir_id: z
      .int('请选择移动的文件夹')
      .positive('请选择移动的文件夹')
      .max(ID_MAX, '请选择移动的文件夹')
      .describe('目标文件夹 ID'),
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
    id: IdParam.describe('人群 ID；带 cnt_type 时是子人群 ID'),
    advertiser_id: IdParam.describe('人群所属的广告主 ID；带 cnt_type 时是平台账户 ID'),
    cnt_type: CntType.optional(),
    check: CheckFlag,
    local: LocalFlag,
  }),
  data: z.object({
    msg: z.string().describe('OK 表示可以删除或已删除；否则是不能删除的原因'),
    refusal_outcome: AnyOutcome.nullable(),
    users: z.array(CrowdUser).describe('使用它的计划与人群；可以删除时为空'),
    only_here: z.string().nullable().describe('账户已失去授权，只能在本地删除的原因，一句话；没有时为 null'),
    only_here_outcome: AnyOutcome.nullable(),
  }),
})

export const listDeletedCustomCrowds = endpoint({
  method: 'GET',
  path: Path('crowd/custom/deleted'),
  group,
  summary: `${RESTORE_DAYS} 天内删除、仍可恢复的自定义人群，最近删除的在前`,
  query: z.object({ adv_id: IdParam.optional().describe('只列这个广告主的；不填则列自己所属的全部广告主') }),
  data: DeletedCrowds,
})

export const undeleteCustomCrowds = endpoint({
  method: 'POST',
  path: Path('crowd/custom/undelete'),
  group,
  summary: `撤销 ${RESTORE_DAYS} 天内的删除，全部可恢复才恢复`,
  body: RestoreIds,
  data: Nothing,
})

export const CrowdFile = z.object({
  id: Id.describe('文件 ID'),
  name: z.string().describe('文件名；压缩包内的文件带上压缩包的名称'),
  user_id_type: IdentifierType,
  size: z.int().describe('文件大小，字节'),
  status: z
    .enum(['waiting', 'checking', 'done', 'failed'])
    .describe('waiting 等待，checking 校验中，done 完成，failed 无法读取'),
  /** Why it could not be read. */
  error: z.string().nullable().describe('无法读取的原因，一句话；没有时为 null'),
  error_outcome: AnyOutcome.nullable(),
  /** line_count = valid_count + duplicate + malformed; null until it is done. */
  line_count: z.int().nullable().describe('行数；= valid_count + duplicate + malformed；完成前为 null'),
  valid_count: z.int().nullable().describe('有效行数；完成前为 null'),
  duplicate: z.int().nullable().describe('重复行数；完成前为 null'),
  malformed: z.int().nullable().describe('无效行数；完成前为 null'),
  reasons: z
    .array(
      z.object({
        reason: z.string().describe('无效的原因，一句话'),
        outcome: AnyOutcome,
        lines: z.int().describe('这个原因的行数'),
        listed: z.int().describe('其中可以下载的行数；空行和超出保留上限的行只计数'),
      }),
    )
    .describe('无效行按原因的统计'),
  hashed: UploadedFile.shape.hashed,
  choice: UploadedFile.shape.choice,
  unread_members: z
    .array(
      z.object({
        name: z.string().describe('压缩包内的文件名'),
        error: z.string().describe('未能读取的原因，一句话'),
        error_outcome: AnyOutcome,
      }),
    )
    .describe('压缩包内未能读取的文件与原因；它们的行不计入报告'),
  version: z.int().describe('它属于人群的哪个版本'),
  op_at: Seconds.describe('上传提交的时间，时间戳（秒）'),
})
export type CrowdFile = z.infer<typeof CrowdFile>

export const listCrowdFiles = endpoint({
  method: 'GET',
  path: Path('crowd/custom/files'),
  group,
  summary: '人群的文件；无效行在 /api/v1/gdtcrowd/crowd/custom/files/{id}/malformed 下载',
  query: PageQuery.extend({
    /** Crowd id; with `cnt_type`, the id of one of its audiences. */
    id: IdParam.describe('人群 ID；带 cnt_type 时是子人群 ID'),
    cnt_type: CntType.optional(),
    name: z.string().max(100).optional().describe('文件名包含这段文字'),
    op_at: SecondsRange.optional().describe('提交时间的范围：两个时间戳（秒），逗号相连，含两端'),
  }),
  data: z.object({
    files: z.array(CrowdFile).describe('本页的文件'),
    total_files_num: z.int().describe('符合条件的文件总数'),
  }),
})
/** Any text is taken: what is no id is not found. */
export const FileOfLines = z.object({ id: z.string() })
export type FileOfLines = z.infer<typeof FileOfLines>
/** The malformed lines of a file with their reasons, as a file to download; a plain call. */
export const MALFORMED_PATH = Path('crowd/custom/files/{id}/malformed')
export const malformedPath = (file_id: number) => MALFORMED_PATH.replace('{id}', String(file_id))

export const CrowdLog = z.object({
  id: Id.describe('记录 ID'),
  op_type: z
    .union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)])
    .describe('操作类型：0 通用，1 新建，2 修改，3 删除，4 提交，5 发布'),
  /** What happened, as a sentence. */
  what: z.string().describe('做了什么，一句话'),
  operation_type: z
    .union([z.literal(1), z.literal(2)])
    .nullable()
    .describe('更新类型：1 追加，2 删减；不是更新时为 null'),
  user_id_type: IdentifierType,
  op_at: Seconds.describe('操作时间，时间戳（秒）'),
  op_by: z.string().describe('操作人'),
  original_files: z
    .array(z.object({ name: z.string().describe('文件名'), size: z.int().describe('文件大小，字节') }))
    .describe('这次操作上传的文件'),
  /** Only for entries that made a version. */
  version: z
    .object({
      no: z.int().describe('版本号'),
      status: z.enum(['computing', 'done', 'failed']).describe('computing 计算中，done 完成，failed 失败'),
      lines: z.int().nullable().describe('行数；完成前为 null'),
      valid: z.int().nullable().describe('有效行数；完成前为 null'),
      duplicate: z.int().nullable().describe('重复行数；完成前为 null'),
      malformed: z.int().nullable().describe('无效行数；完成前为 null'),
      /** Distinct identifiers of the crowd after this version. */
      size: z.int().nullable().describe('这个版本之后人群的去重标识数；完成前为 null'),
      is_current: z.boolean().describe('是否是现行版本'),
      can_restore: z.boolean().describe('能否恢复到这个版本'),
      error: z.string().nullable().describe('失败的原因，一句话；没有时为 null'),
      error_outcome: AnyOutcome.nullable(),
      /** For a restore: the version that it brought back. */
      restored_from: z.int().nullable().describe('恢复操作所恢复的版本号；不是恢复时为 null'),
    })
    .nullable()
    .describe('这次操作产生的版本；没有产生版本时为 null'),
})
export type CrowdLog = z.infer<typeof CrowdLog>

export const listCrowdLogs = endpoint({
  method: 'GET',
  path: Path('crowd/custom/logs'),
  group,
  summary: '人群的更新记录',
  query: PageQuery.extend({
    /** Crowd id; with `cnt_type`, the id of an audience, for its crowd's entries and its own. */
    id: IdParam.describe('人群 ID；带 cnt_type 时是子人群 ID，答复它所属人群的记录与它自己的记录'),
    cnt_type: CntType.optional(),
    op_type: z.coerce
      .number()
      .int()
      .min(0)
      .max(5)
      .optional()
      .describe('只列这种操作：0 通用，1 新建，2 修改，3 删除，4 提交，5 发布'),
  }),
  data: z.object({
    list: z.array(CrowdLog).describe('本页的记录，最近的在前'),
    total: z.int().describe('符合条件的记录总数'),
  }),
})

export const restoreCrowdVersion = endpoint({
  method: 'POST',
  path: Path('crowd/custom/restore'),
  group,
  summary: '恢复到一个版本（生成新版本）',
  body: z.object({ id: Id.describe('人群 ID'), version: z.int().positive().describe('要恢复到的版本号') }),
  data: z.object({ version: z.int().describe('恢复产生的新版本号') }),
})
