import { z } from 'zod'
import { METRICS, REPORTED } from './activity/metrics.ts'
import { Id, IdParam, IdParams, keysOf, meaningsOf, Nothing, PageQuery, Seconds } from './common.ts'
import { Encoding } from './encoding.ts'
import { endpoint } from './endpoint.ts'
import { IdentifierType } from './identifier.ts'
import { WARNING_LINES } from './import-warning.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { Field } from './tag-event.ts'
import { Dictionary, DisplayName, FieldType } from './tag-field.ts'

export const IMPORT_KINDS = { users: '用户', events: '事件', reports: '报表' } as const
export const ImportKind = z.enum(keysOf(IMPORT_KINDS)).describe(meaningsOf(IMPORT_KINDS))
export type ImportKind = z.infer<typeof ImportKind>
const IMPORT_FORMATS = ['csv', 'ndjson', 'parquet'] as const
/** The most data lines that a preview shows. */
export const PREVIEW_LINES = 50
/** `--id row`: the row's own number, 1 for the first data row. */
export const ROW_ID = 'row'

/** A column's name in the file. */
const Column = z.string().min(1).max(200)

/** A text in this encoding; left out, its bytes show it. */
const AnyEncoding = Encoding.optional().describe('文本文件的编码；省略时按内容识别')

/** What is settled about a column that becomes an attribute or a property. */
const ColumnSettings = z.object({
  column: Column.describe('列名'),
  name: Field.optional().describe('存为的属性名；省略则用列名'),
  display_name: DisplayName.optional(),
  type: FieldType.optional().describe('值的类型；省略则由数据推断'),
  dictionary: Dictionary.optional(),
})
export type ColumnSettings = z.infer<typeof ColumnSettings>

/** The meaning of the columns in a file of users; columns not named here become attributes. */
export const UsersMapping = z.object({
  encoding: AnyEncoding,
  kind: z.literal('users').describe('固定为 users：每行一个用户'),
  /** A column's name, or `row`. */
  id: Column.describe('作为 oneID 的列名；`row` 表示用行号'),
  name: Column.optional().describe('作为姓名的列名'),
  phone: Column.optional().describe('作为手机号的列名'),
  identifiers: z
    .array(z.object({ column: Column.describe('列名'), type: IdentifierType }))
    .max(30)
    .default([])
    .describe('作为标识的列，最多 30 个'),
  skip: z.array(Column).max(1000).default([]).describe('不导入的列名'),
  fields: z
    .array(ColumnSettings)
    .max(1000)
    .optional()
    .describe('成为属性的列的名称、类型与值的名称；没有列出的由数据推断'),
})
/** The meaning of the columns in a file of events; columns not named here become properties. */
export const EventsMapping = z.object({
  encoding: AnyEncoding,
  kind: z.literal('events').describe('固定为 events：每行一个事件'),
  id: Column.describe('作为 oneID 的列名'),
  event: Column.describe('作为事件名的列名'),
  time: Column.describe('作为事件时间的列名'),
  title: Column.optional().describe('作为事件标题的列名'),
  message_id: Column.optional().describe('作为事件编号的列名；相同编号的行只计一次'),
  skip: z.array(Column).max(1000).default([]).describe('不导入的列名'),
  fields: z
    .array(ColumnSettings)
    .max(1000)
    .optional()
    .describe('成为事件属性的列的名称、类型与值的名称；没有列出的由数据推断'),
})
/** A metric that a column of a report holds. */
const ReportedMetric = z.enum(REPORTED).describe(REPORTED.map((key) => `${key} ${METRICS[key].label}`).join('，'))

/**
 * The meaning of the columns in a file of reports; columns not named here are not read. A file replaces the days of the
 * accounts that it has rows of.
 */
export const ReportsMapping = z.object({
  encoding: AnyEncoding,
  kind: z.literal('reports').describe('固定为 reports：每行是一个活动或计划一天的数据'),
  date: Column.describe('作为日期的列名'),
  campaign: Column.describe('作为活动名称或 ID 的列名'),
  plan: Column.optional().describe(
    '平台计划 ID 所在的列名：活动的计划按平台账户 ID 与它取数，写名称的行只存入；省略则每行是整个活动的数据，不属于任何计划',
  ),
  account: Column.optional().describe('作为平台账户 ID 的列名；省略则数据不属于任何账户'),
  metrics: z
    .array(z.object({ column: Column.describe('列名'), metric: ReportedMetric }))
    .min(1, '请指定至少一列是指标')
    .max(REPORTED.length)
    .describe('作为指标的列；每个指标最多一列'),
})
export const ImportMapping = z.discriminatedUnion('kind', [UsersMapping, EventsMapping, ReportsMapping]).meta({
  id: 'ImportMapping',
  description: '文件的列各是什么；没有提到的列成为属性（用户）或事件的属性（事件），报表中则不读取',
})
export type UsersMapping = z.infer<typeof UsersMapping>
export type EventsMapping = z.infer<typeof EventsMapping>
export type ReportsMapping = z.infer<typeof ReportsMapping>
/** Files whose rows are about people. */
export type PeopleMapping = UsersMapping | EventsMapping
export type ImportMapping = z.infer<typeof ImportMapping>

/** Rows of a file with the same outcome; `reason` is its sentence. */
const CountedRows = z.object({
  reason: z.string().describe('原因，一句话'),
  outcome: AnyOutcome,
  rows: z.int().describe('行数'),
})

/** rows = stored + duplicate + refused, always. */
export const ImportReport = z.object({
  rows: z.int().describe('总行数；rows = stored + duplicate + refused'),
  stored: z.int().describe('已存入的行数'),
  duplicate: z.int().describe('重复的行数：以前导入过相同的行；报表中为与现有数据完全相同的日期的行'),
  refused: z.int().describe('被拒绝的行数'),
  new_people: z.int().describe('新增的用户人数'),
  /** Number of refused rows for each reason. */
  reasons: z.array(CountedRows).describe('被拒绝的行按原因的统计'),
  /** Stored rows with a cell that could not be used, such as a malformed phone. */
  warnings: z
    .array(
      CountedRows.extend({
        data_rows: z
          .array(z.int())
          .describe(`其中最前的几行各是第几条数据，从 1 起，最多 ${WARNING_LINES} 个；事件不记录，为空`),
      }),
    )
    .describe('已存入、但有单元格不能使用的行，按原因统计，例如手机号格式不对'),
  removed_on_request: z
    .int()
    .optional()
    .describe('被拒绝的行中，因为其用户被删除而不再可下载的行数（按请求移除）；没有时省略'),
  /** Milliseconds. */
  took_ms: z.int().describe('导入用时，毫秒'),
})
export type ImportReport = z.infer<typeof ImportReport>

export const IMPORT_STATUS = {
  waiting: '等待中',
  running: '导入中',
  done: '已完成',
  failed: '失败',
  undoing: '撤销中',
  undone: '已撤销',
  undo_failed: '撤销失败',
} as const
export type ImportStatus = keyof typeof IMPORT_STATUS

/** What undoing an import takes away. */
export const UndoExtent = z.object({
  rows: z.int().describe('这次导入存入的行数，含由其他导入接手的行'),
  people: z.int().describe('只因这次导入才有的用户数，撤销时移除'),
  taken_over: z
    .array(
      z.object({
        import_id: Id.describe('接手的导入的 ID'),
        rows: z.int().describe('接手的行数'),
      }),
    )
    .describe('之后的导入中与这次重复、当时没有存入的行；撤销后计入那些导入'),
})
export type UndoExtent = z.infer<typeof UndoExtent>

/** The undoing of an import. */
const ImportUndo = z.object({
  asked_by: z.string().describe('撤销人'),
  asked_at: Seconds.describe('撤销的时间，秒'),
  finished_at: Seconds.nullable().describe('撤销完成的时间，秒；未完成为 null'),
  extent: UndoExtent.nullable().describe('移除了什么；还没有开始为 null'),
})

export const ImportRow = z.object({
  id: Id.describe('导入 ID'),
  adv_id: Id.describe('所属广告主 ID'),
  adv_name: z.string().describe('所属广告主名称'),
  kind: ImportKind,
  file_name: z.string().describe('文件名'),
  /** Bytes. */
  size: z.int().describe('文件大小，字节'),
  status: z.enum(keysOf(IMPORT_STATUS)).describe(meaningsOf(IMPORT_STATUS)),
  /** 0 to 1. */
  progress: z.number().min(0).max(1).describe('进度，0 到 1'),
  /** The current step, as text. */
  stage: z.string().describe('当前步骤'),
  mapping: ImportMapping,
  report: ImportReport.nullable().describe('导入报告；完成前为 null'),
  taken_over: z.int().describe('报告中重复的行里，因为之前存入相同行的导入撤销了，现在由这次导入计入的行数'),
  /** Why it failed, as a sentence. */
  error: z.string().nullable().describe('失败的原因，一句话；没有失败时为 null'),
  error_outcome: AnyOutcome.nullable(),
  /** Why the refused rows cannot be downloaded by this viewer. */
  rows_obstacle_outcome: AnyOutcome.nullable().describe('不能下载被拒绝的行的原因，以代码表示；可以下载为 null'),
  creator: z.string().describe('创建人姓名'),
  created_at: Seconds.describe('创建时间，时间戳（秒）'),
  finished_at: Seconds.nullable().describe('结束时间，时间戳（秒）；未结束时为 null'),
  undo: ImportUndo.nullable().describe('撤销的情况；没有撤销过为 null'),
  /** Why it cannot be undone. */
  undo_obstacle: z.string().nullable().describe('不能撤销的原因；可以撤销为 null'),
  undo_obstacle_outcome: AnyOutcome.nullable().describe('不能撤销的原因，以代码表示；可以撤销为 null'),
})
export type ImportRow = z.infer<typeof ImportRow>

const Reason = z.object({
  reason: z.string().describe('一句中文原因'),
  outcome: AnyOutcome.describe('原因的代码与参数'),
})

/** One of the first lines of a file. */
export const PreviewLine = z.object({
  line: z.int().describe('在文件中的行号，从 1 起；Parquet 为数据行的序号'),
  row: z.int().nullable().describe('在 rows 中的下标；读不出各列的行为 null'),
  cells: z.array(z.string()).describe('读不出各列的行的内容；其余为空'),
  refused: Reason.nullable().describe('导入时会拒绝该行的原因；没有为 null'),
  warnings: z
    .array(Reason.extend({ column: z.string().describe('列名') }))
    .describe('该行中类型不符的值：不会作为标识保存，或不能按列的类型比较'),
})
export type PreviewLine = z.infer<typeof PreviewLine>

/** What the rows of a file of reports would show, and what they would replace. */
const ComparedReports = z.object({
  rows: z.int().describe('看了文件最前的多少行'),
  is_whole: z.boolean().describe('这些是否是文件的全部行；否则其余的行没有看，实际以导入报告为准'),
  unlinked: z
    .object({
      plans: z.int().describe('计划数'),
      rows: z.int().describe('它们的行数'),
      examples: z
        .array(
          z.object({
            account: z.string().describe('平台账户 ID；文件没有时为空'),
            plan: z.string().describe('平台计划 ID'),
            campaign: z.string().describe('文件中的活动名称或 ID'),
          }),
        )
        .describe('其中几个计划'),
    })
    .describe('没有任何活动关联的平台计划：会存入，关联后才显示'),
  without_plan: z.int().describe('没有平台计划 ID 的行数：会存入，不属于任何活动'),
  replaced: z
    .object({
      days: z.int().describe('账户的天数：同一账户同一天算一天'),
      plans: z.int().describe('各天不再计入的计划数之和'),
      examples: z
        .array(
          z.object({
            date: z.string().describe('日期，YYYY-MM-DD'),
            account: z.string().describe('平台账户 ID；文件没有时为空'),
            stored: z.int().describe('这天已存入的计划数'),
            in_file: z.int().describe('文件中这天的计划数'),
            gone: z.int().describe('已存入而文件中没有、不再计入的计划数'),
            gone_plans: z.array(z.string()).describe('其中几个计划的平台计划 ID；没有计划 ID 的行为活动'),
          }),
        )
        .describe('其中最早的几天'),
    })
    .describe('此前导入的、会被整天替换而文件中没有的计划'),
})
export type ComparedReports = z.infer<typeof ComparedReports>

export const previewImport = endpoint({
  method: 'POST',
  path: '/api/import/preview',
  group: '数据接入',
  summary: '已上传文件的列与前 50 行（含有问题的行），以及猜测的数据类型与列映射',
  body: z.object({
    upload_id: z.string().min(1).max(100).describe('上传的编号'),
    kind: ImportKind.optional().describe('数据类型；省略时按列名猜测'),
    encoding: AnyEncoding,
    mapping: ImportMapping.optional().describe('按此映射检查各行；省略时按猜测的映射'),
    adv_id: Id.optional().describe('广告主 ID；填写时也按它已有属性的类型检查'),
  }),
  data: z.object({
    format: z.enum(IMPORT_FORMATS).describe('文件格式'),
    encoding: Encoding.nullable().describe('读取所用的编码：给定的，或按内容识别的；Parquet 为 null'),
    kind: ImportKind.describe('检查所用的数据类型：给定的，或按列名猜测的'),
    columns: z.array(z.string()).describe('列名'),
    rows: z.array(z.array(z.string())).describe('读得出各列的前几行；无权查看手机号时已遮盖'),
    lines: z.array(PreviewLine).describe('文件的前 50 行，按行号排列'),
    problems: z
      .object({
        refused: z.array(CountedRows).describe('会被拒绝的行，按原因'),
        warnings: z
          .array(
            CountedRows.extend({
              lines: z.array(z.int()).describe(`其中最前的几行的行号，最多 ${WARNING_LINES} 个`),
            }),
          )
          .describe('有类型不符的值的行，按原因'),
      })
      .describe('前几行的问题汇总'),
    guess: z
      .object({
        id: z.string().nullable().describe('作为 oneID 的列名'),
        name: z.string().nullable().describe('作为姓名的列名'),
        phone: z.string().nullable().describe('作为手机号的列名'),
        event: z.string().nullable().describe('作为事件名的列名'),
        time: z.string().nullable().describe('作为事件时间的列名'),
        title: z.string().nullable().describe('作为事件标题的列名'),
        date: z.string().nullable().describe('作为报表日期的列名'),
        campaign: z.string().nullable().describe('作为活动的列名'),
        plan: z.string().nullable().describe('作为计划的列名'),
        account: z.string().nullable().describe('作为平台账户的列名'),
        metrics: z
          .array(z.object({ column: z.string().describe('列名'), metric: ReportedMetric }))
          .describe('作为指标的列'),
      })
      .describe('猜测的列映射，没有猜出的为 null'),
    reports: ComparedReports.nullable().describe(
      '报表与已存入的数据、活动的计划相比；其他类型、或没有给出广告主时为 null',
    ),
  }),
})

export const startImport = endpoint({
  method: 'POST',
  path: '/api/import',
  group: '数据接入',
  summary: '导入一个已上传的文件',
  body: z.object({
    adv_id: Id.describe('广告主 ID'),
    upload_id: z.string().min(1).max(100).describe('上传接口返回的上传 ID'),
    mapping: ImportMapping,
  }),
  data: z.object({ id: Id.describe('导入 ID') }),
})

export const listImports = endpoint({
  method: 'GET',
  path: '/api/import/list',
  group: '数据接入',
  summary: '导入记录',
  query: PageQuery.extend({ adv_id: IdParam.optional().describe('只列这个广告主的导入') }),
  data: z.object({
    list: z.array(ImportRow).describe('本页的导入，最近的在前'),
    total: z.int().describe('符合条件的导入总数'),
  }),
})

export const getImport = endpoint({
  method: 'GET',
  path: '/api/import/{id}',
  group: '数据接入',
  summary: '一次导入的进度与报告；被拒绝的行在 /api/import/{id}/refused 下载',
  params: IdParams,
  data: ImportRow,
})

/** A crowd or an account that an undo changes. */
const Named = z.object({ id: Id.describe('ID'), name: z.string().describe('名称') })
/** The most crowds and fields that a preview of an undo names. */
export const UNDO_NAMES_MAX = 50

export const previewUndo = endpoint({
  method: 'GET',
  path: '/api/import/{id}/undo',
  group: '数据接入',
  summary: '撤销一次导入会移除什么、影响哪些人群和账户；不改变任何数据',
  params: IdParams,
  data: z.object({
    extent: UndoExtent.describe('会移除什么'),
    heirs: z.array(Named).describe('接手重复行的导入及其文件名'),
    attributes: z.array(z.string()).describe('会一并移除的属性'),
    events: z.array(z.string()).describe('会一并移除的事件'),
    tags: z.int().describe('会重新计算的标签数'),
    crowds: z.array(Named).describe(`会重新计算的规则人群，最多 ${UNDO_NAMES_MAX} 个`),
    crowds_total: z.int().describe('会重新计算的规则人群数'),
    uploaded_crowds: z.int().describe('会重新匹配用户的上传人群数'),
    accounts: z.array(Named).describe('自动推送、会收到移除的投放账户'),
  }),
})

export const undoImport = endpoint({
  method: 'POST',
  path: '/api/import/{id}/undo',
  group: '数据接入',
  summary: '撤销一次导入：移除它的行、只因它才有的用户，较早的值恢复；重复调用不会重复撤销',
  params: IdParams,
  data: Nothing,
})

/** The embedded endpoint for imports (tus), a plain route beside the table. */
export const UPLOAD_PATH = '/api/upload'
/** Any text is taken: what is no id is not found. */
export const ImportOfRows = z.object({ id: z.string() })
export type ImportOfRows = z.infer<typeof ImportOfRows>
/** The refused rows of an import with their reasons, as a file to download; a plain call. */
export const REFUSED_PATH = '/api/import/{id}/refused'
export const refusedRowsPath = (id: number) => REFUSED_PATH.replace('{id}', String(id))
/** Largest upload through the console, in bytes; larger files go through the command line. */
export const IMPORT_UPLOAD_MAX = 5 * 1024 ** 3
