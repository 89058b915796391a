import { z } from 'zod'
import { Id, IdParam, IdParams, keysOf, PageQuery, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { IdentifierType } from './identifier.ts'
import { AnyOutcome } from './outcomes/entry.ts'

export const IMPORT_KINDS = { users: '用户', events: '事件' } as const
export const ImportKind = z.enum(keysOf(IMPORT_KINDS))
export type ImportKind = z.infer<typeof ImportKind>
const IMPORT_FORMATS = ['csv', 'ndjson', 'parquet'] as const
/** The most data lines that a preview shows. */
export const PREVIEW_LINES = 50
/** `--id row`: the row's own number, 1 for the first data row. */
export const ROW_ID = 'row'

/** A column's name in the file. */
const Column = z.string().min(1).max(200)

/** The meaning of the columns in a file of users; columns not named here become attributes. */
export const UsersMapping = z.object({
  kind: z.literal('users'),
  /** A column's name, or `row`. */
  id: Column,
  name: Column.optional(),
  phone: Column.optional(),
  identifiers: z
    .array(z.object({ column: Column, type: IdentifierType }))
    .max(30)
    .default([]),
  skip: z.array(Column).max(1000).default([]),
})
/** The meaning of the columns in a file of events; columns not named here become properties. */
export const EventsMapping = z.object({
  kind: z.literal('events'),
  id: Column,
  event: Column,
  time: Column,
  title: Column.optional(),
  message_id: Column.optional(),
  skip: z.array(Column).max(1000).default([]),
})
export const ImportMapping = z.discriminatedUnion('kind', [UsersMapping, EventsMapping])
export type UsersMapping = z.infer<typeof UsersMapping>
export type EventsMapping = z.infer<typeof EventsMapping>
export type ImportMapping = z.infer<typeof ImportMapping>

/** Rows of a file with the same outcome; `reason` is its sentence. */
const CountedRows = z.object({ reason: z.string(), outcome: AnyOutcome, rows: z.int() })

/** rows = stored + duplicate + refused, always. */
export const ImportReport = z.object({
  rows: z.int(),
  stored: z.int(),
  duplicate: z.int(),
  refused: z.int(),
  new_people: z.int(),
  /** Number of refused rows for each reason. */
  reasons: z.array(CountedRows),
  /** Stored rows with a cell that could not be used, such as a malformed phone. */
  warnings: z.array(CountedRows),
  /** Milliseconds. */
  took_ms: z.int(),
})
export type ImportReport = z.infer<typeof ImportReport>

export const IMPORT_STATUS = { waiting: '等待中', running: '导入中', done: '已完成', failed: '失败' } as const

export const ImportRow = z.object({
  id: Id,
  adv_id: Id,
  adv_name: z.string(),
  kind: ImportKind,
  file_name: z.string(),
  /** Bytes. */
  size: z.int(),
  status: z.enum(keysOf(IMPORT_STATUS)),
  /** 0 to 1. */
  progress: z.number().min(0).max(1),
  /** The current step, as text. */
  stage: z.string(),
  mapping: ImportMapping,
  report: ImportReport.nullable(),
  /** Why it failed, as a sentence. */
  error: z.string().nullable(),
  error_outcome: AnyOutcome.nullable(),
  creator: z.string(),
  created_at: Seconds,
  finished_at: Seconds.nullable(),
})
export type ImportRow = z.infer<typeof ImportRow>

export const previewImport = endpoint({
  method: 'POST',
  path: '/api/import/preview',
  group: '数据接入',
  summary: '已上传文件的列与前 50 行，以及猜测的列映射',
  body: z.object({ upload_id: z.string().min(1).max(100), kind: ImportKind }),
  data: z.object({
    format: z.enum(IMPORT_FORMATS),
    columns: z.array(z.string()),
    rows: z.array(z.array(z.string())),
    guess: z.object({
      id: z.string().nullable(),
      name: z.string().nullable(),
      phone: z.string().nullable(),
      event: z.string().nullable(),
      time: z.string().nullable(),
      title: z.string().nullable(),
    }),
  }),
})

export const startImport = endpoint({
  method: 'POST',
  path: '/api/import',
  group: '数据接入',
  summary: '导入一个已上传的文件',
  body: z.object({ adv_id: Id, upload_id: z.string().min(1).max(100), mapping: ImportMapping }),
  data: z.object({ id: Id }),
})

export const listImports = endpoint({
  method: 'GET',
  path: '/api/import/list',
  group: '数据接入',
  summary: '导入记录',
  query: PageQuery.extend({ adv_id: IdParam.optional() }),
  data: z.object({ list: z.array(ImportRow), total: z.int() }),
})

export const getImport = endpoint({
  method: 'GET',
  path: '/api/import/{id}',
  group: '数据接入',
  summary: '一次导入的进度与报告；被拒绝的行在 /api/import/{id}/refused 下载',
  params: IdParams,
  data: ImportRow,
})

/** The embedded endpoint for imports (tus), a plain route beside the table. */
export const UPLOAD_PATH = '/api/upload'
/** The refused rows of an import with their reasons, as a file to download. */
export const refusedRowsPath = (id: number) => `/api/import/${id}/refused`
/** Largest upload through the console, in bytes; larger files go through the command line. */
export const IMPORT_UPLOAD_MAX = 5 * 1024 ** 3
