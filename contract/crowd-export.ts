import { z } from 'zod'
import { CommaList, Id, IdParam, IdParams, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { IDENTIFIERS, type IdentifierType } from './identifier.ts'

/** How many columns a file of people may have. */
export const EXPORT_COLUMNS_MAX = 200
/** How many tags the chosen categories may have together. */
export const EXPORT_TAGS_MAX = 2000

/** Columns that every crowd offers, by their keys. */
export const EXPORT_COLUMNS = {
  one_id: 'One ID',
  name: '姓名',
  phone: '手机号',
  first_event: '首次事件时间',
  last_event: '最近事件时间',
  events: '事件数',
} as const
export type FixedColumn = keyof typeof EXPORT_COLUMNS

/** What is exported unless the viewer chose before. */
export const DEFAULT_COLUMNS: readonly string[] = ['one_id', 'name', 'phone'] satisfies FixedColumn[]

/** A column of a file: one that every crowd offers, a type of identifier, an attribute, or a category of tags. */
export type ExportColumn =
  | { kind: 'fixed'; column: FixedColumn }
  | { kind: 'identifier'; type: IdentifierType }
  | { kind: 'attribute' | 'tags'; id: number }

export const identifierColumn = (type: IdentifierType): string => `identifier.${type}`
/** By id, so that a new display name changes no choice. */
export const attributeColumn = (id: number): string => `attribute.${id}`
/** By the id of the category: its cell has the names of the tags that the person holds. */
export const tagsColumn = (category_id: number): string => `tags.${category_id}`

/** The column that a key names; null if there can be none such. */
export function readColumn(key: string): ExportColumn | null {
  if (Object.hasOwn(EXPORT_COLUMNS, key)) return { kind: 'fixed', column: key as FixedColumn }
  const [kind, what = '', ...rest] = key.split('.')
  if (rest.length > 0) return null
  if (kind === 'identifier') return Object.hasOwn(IDENTIFIERS, what) ? { kind, type: what as IdentifierType } : null
  const id = Id.safeParse(/^[1-9]\d*$/.test(what) ? Number(what) : null)
  return (kind === 'attribute' || kind === 'tags') && id.success ? { kind, id: id.data } : null
}

/** What a viewer chose before, as far as it is offered now; without any of it the usual columns. */
export function chosenColumns(offered: readonly string[], before: readonly string[]): string[] {
  const kept = offered.filter((key) => before.includes(key))
  return kept.length > 0 ? kept : offered.filter((key) => DEFAULT_COLUMNS.includes(key))
}

export const COLUMN_GROUPS = {
  person: '用户',
  identifier: '标识',
  attribute: '属性',
  tags: '标签',
  events: '事件',
} as const

export const getCrowdColumns = endpoint({
  method: 'GET',
  path: '/api/people/{id}/columns',
  group: '人群资产',
  summary: '导出人群名单时可选的列，与名单的人数；还没有计算结果的人群拒绝',
  params: IdParams,
  data: z.object({
    name: z.string().describe('人群名称'),
    adv_id: Id.describe('人群所属广告主的 ID'),
    count: z.int().describe('名单的人数；上传的人群是匹配到的用户数'),
    counted_at: Seconds.describe('名单所依据数据的时间，时间戳（秒）'),
    hides_phones: z.boolean().describe('名单里的手机号与标识是否会被遮住'),
    groups: z
      .array(
        z.object({
          kind: z
            .enum(Object.keys(COLUMN_GROUPS) as [keyof typeof COLUMN_GROUPS])
            .describe('person 用户，identifier 标识，attribute 属性，tags 标签分类，events 事件'),
          columns: z
            .array(
              z.object({
                key: z.string().describe('列的键，下载时写在 columns 里'),
                label: z.string().describe('列名'),
              }),
            )
            .describe('可选的列'),
        }),
      )
      .describe('可选的列，按种类；文件里的列按这个先后'),
  }),
})

/** Downloads a crowd's people as csv; not a JSON call. */
export const CROWD_EXPORT_PATH = '/api/people/{id}/export'
export const CrowdExport = z.object({
  id: IdParam,
  columns: CommaList.pipe(
    z.array(z.string().max(100)).max(EXPORT_COLUMNS_MAX, `最多选择 ${EXPORT_COLUMNS_MAX} 列`),
  ).default([...DEFAULT_COLUMNS]),
})
