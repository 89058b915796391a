import { z } from 'zod'
import { Id, IdParam, keysOf, meaningsOf, Nothing, PageQuery } from './common.ts'
import { endpoint } from './endpoint.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { FIELD_TYPES } from './outcomes/tag.ts'
import { EventMeaning, StandardEvent } from './standard-event.ts'
import { LeftOut, TAG_VALUE_MAX } from './tag.ts'
import { Field } from './tag-event.ts'

export const FieldType = z.enum(keysOf(FIELD_TYPES)).describe(`值的类型：${meaningsOf(FIELD_TYPES)}`)
export type FieldType = z.infer<typeof FieldType>

export const DISPLAY_NAME_MAX = 60
export const DisplayName = z
  .string()
  .trim()
  .min(1, '请输入显示名称')
  .max(DISPLAY_NAME_MAX, `显示名称最多 ${DISPLAY_NAME_MAX} 个字符`)
  .describe(`显示名称，1 到 ${DISPLAY_NAME_MAX} 个字符；规则与标签的定义仍用属性名`)

// Names of values

export const DICTIONARY_MAX = 1000
/** The most named values of all properties of an event together. */
export const EVENT_DICTIONARY_MAX = 10_000
const LABEL_MAX = 60
/** How people call a value: 0 is 男. Tags, chips and phrases use the label. */
export const DictionaryEntry = z.object({
  value: z
    .string()
    .min(1, '请输入值')
    .max(TAG_VALUE_MAX, `值最多 ${TAG_VALUE_MAX} 个字符`)
    .describe('数据中的值，如 0；原样比较'),
  label: z
    .string()
    .trim()
    .min(1, '请输入值的名称')
    .max(LABEL_MAX, `值的名称最多 ${LABEL_MAX} 个字符`)
    .describe('显示的名称，如 男'),
})
export type DictionaryEntry = z.infer<typeof DictionaryEntry>
/** Names of an attribute's values, each value once. */
export const Dictionary = z
  .array(DictionaryEntry)
  .max(DICTIONARY_MAX, `值的名称最多 ${DICTIONARY_MAX} 个`)
  .refine((entries) => new Set(entries.map(({ value }) => value)).size === entries.length, '同一个值只能有一个名称')
  .describe(`值的名称，最多 ${DICTIONARY_MAX} 个；属性的有名称的值各成一个标签`)

// What tags can be made of

/** The most fields of a page, and the most values shown of each. */
export const FIELDS_PAGE_MAX = 100
export const FIELD_VALUES_SHOWN = 10
/** The most properties that the list shows of an event. */
export const PROPERTIES_SHOWN = 200

export const AttributeInfo = z.object({
  name: z.string().describe('属性名'),
  type: FieldType,
  is_type_fixed: z.boolean().describe('类型是否由人指定；否则由数据推断，新数据可能改变它'),
  display_name: z.string().describe('显示名称'),
  /** The most frequent values, without those in `left_out`. */
  values: z
    .array(z.string())
    .describe(`最多的 ${FIELD_VALUES_SHOWN} 个值，多的在前；无权查看手机号时打码。更多的值见 /api/tag/values`),
  distinct: z.int().describe('不同值的个数'),
  named: z.int().describe('有名称的值的个数'),
  /** Values that get no tag. */
  left_out: z.array(LeftOut).describe('没有标签的值'),
})
export type AttributeInfo = z.infer<typeof AttributeInfo>

export const EventInfo = z.object({
  name: z.string().describe('事件名'),
  display_name: z.string().describe('显示名称'),
  properties: z.array(z.string()).describe(`它的属性名，最多 ${PROPERTIES_SHOWN} 个`),
  standard: StandardEvent.nullable().describe('它对应的标准事件；没有时为 null'),
})
export type EventInfo = z.infer<typeof EventInfo>

const AdvQuery = z.object({ adv_id: IdParam.describe('广告主 ID') })

export const listFields = endpoint({
  method: 'GET',
  path: '/api/tag/fields',
  group: '标签',
  summary: '可用于标签定义的属性与事件，分页；keyword 按名称或显示名称查找',
  query: PageQuery.extend({
    adv_id: IdParam.describe('广告主 ID'),
    keyword: z.string().max(100).optional().describe('名称或显示名称包含这段文字，不区分大小写'),
    page_size: z.coerce
      .number()
      .int()
      .min(1)
      .max(FIELDS_PAGE_MAX)
      .default(FIELDS_PAGE_MAX)
      .describe(`每页的属性数与事件数，1 到 ${FIELDS_PAGE_MAX}`),
  }),
  data: z.object({
    attributes: z.array(AttributeInfo).describe('本页的属性，按导入的先后'),
    attributes_total: z.int().describe('符合条件的属性总数'),
    events: z.array(EventInfo).describe('本页的事件，按导入的先后'),
    events_total: z.int().describe('符合条件的事件总数'),
  }),
})

const MaskedEntry = DictionaryEntry.extend({
  value: z.string().describe('数据中的值；无权查看手机号时，像手机号的值打码'),
  label: z.string().describe('显示的名称；同样打码'),
  is_masked: z.boolean().describe('是否打码；打码的条目不能修改，保存时保持原样'),
})

export const getAttribute = endpoint({
  method: 'GET',
  path: '/api/tag/attribute',
  group: '标签',
  summary: '一个属性的显示名称、类型与值的名称',
  query: AdvQuery.extend({ name: Field.describe('属性名') }),
  data: AttributeInfo.extend({ dictionary: z.array(MaskedEntry).describe('值的名称') }),
})

export const updateAttribute = endpoint({
  method: 'PUT',
  path: '/api/tag/attribute',
  group: '标签',
  summary: '修改属性的显示名称、类型或值的名称；标签名称随之改变，规则不变',
  body: z.object({
    adv_id: Id.describe('广告主 ID'),
    name: Field.describe('属性名，不能修改'),
    display_name: DisplayName.optional(),
    type: FieldType.nullable().optional().describe('指定的类型；null 表示由数据推断；不填则不变'),
    allow_unreadable: z
      .boolean()
      .default(false)
      .describe('改为数字或日期时，部分值不是该类型也照改；这些值只计入「有值」。否则拒绝，并说明有多少'),
    dictionary: Dictionary.optional(),
  }),
  data: Nothing,
})

export const deleteAttribute = endpoint({
  method: 'DELETE',
  path: '/api/tag/attribute',
  group: '标签',
  summary:
    '删除写入密钥带来的属性，连同它的值、自动生成的标签与设置；由任务完成。规则、自建的标签或「同意」的设置在使用、或由导入的文件带来时拒绝，并列出',
  query: AdvQuery.extend({ name: Field.describe('属性名') }),
  data: Nothing,
})

export const PropertyInfo = z.object({
  name: z.string().describe('事件属性名'),
  display_name: z.string().describe('显示名称'),
  type: FieldType.nullable().describe('类型；由数据推断时取自样本，没有值时为 null'),
  is_type_fixed: z.boolean().describe('类型是否由人指定'),
  named: z.int().describe('有名称的值的个数'),
})
export type PropertyInfo = z.infer<typeof PropertyInfo>

export const getEvent = endpoint({
  method: 'GET',
  path: '/api/tag/event',
  group: '标签',
  summary: '一个事件的显示名称，与它的属性的显示名称和类型',
  query: AdvQuery.extend({ name: Field.describe('事件名') }),
  data: EventInfo.omit({ standard: true }).extend({
    properties: z.array(PropertyInfo).describe('它的属性'),
    meaning: EventMeaning.nullable().describe('它对应的标准事件；没有时为 null'),
  }),
})

export const getPropertyValues = endpoint({
  method: 'GET',
  path: '/api/tag/event/values',
  group: '标签',
  summary: '一个事件属性的值的名称',
  query: AdvQuery.extend({ name: Field.describe('事件名'), property: Field.describe('事件属性名') }),
  data: z.object({ dictionary: z.array(MaskedEntry).describe('值的名称') }),
})

export const updateEvent = endpoint({
  method: 'PUT',
  path: '/api/tag/event',
  group: '标签',
  summary: '修改事件的显示名称、对应的标准事件，或它的属性的显示名称、类型与值的名称；规则不变',
  body: z.object({
    adv_id: Id.describe('广告主 ID'),
    name: Field.describe('事件名，不能修改'),
    display_name: DisplayName.optional(),
    properties: z
      .array(
        z.object({
          name: Field.describe('事件属性名'),
          display_name: DisplayName.optional(),
          type: FieldType.nullable().optional().describe('指定的类型；null 表示由数据推断；不填则不变'),
          dictionary: Dictionary.optional().describe('值的名称，替换原有的；不填则不变'),
        }),
      )
      .max(1000)
      .optional()
      .describe('要修改的属性；没有列出的不变'),
    meaning: EventMeaning.nullable().optional().describe('它对应的标准事件；null 表示没有，不填则不变'),
  }),
  data: Nothing,
})

/** The most values that one answer suggests. */
export const SUGGESTED_VALUES_MAX = 50

export const listFieldValues = endpoint({
  method: 'GET',
  path: '/api/tag/values',
  group: '标签',
  summary: `某个属性或事件属性在数据中的值，多的在前，最多 ${SUGGESTED_VALUES_MAX} 个；值很多时取自样本`,
  query: AdvQuery.extend({
    attribute: Field.optional().describe('属性名称；与 event、property 二选一'),
    event: Field.optional().describe('事件名称，与 property 一起填写'),
    property: Field.optional().describe('事件属性名称，与 event 一起填写'),
    keyword: z.string().max(100).default('').describe('只要值或其名称包含这段文字的，不区分大小写'),
  }).refine(
    ({ attribute, event, property }) =>
      attribute === undefined ? event !== undefined && property !== undefined : !event && !property,
    '请填写「attribute」，或「event」与「property」',
  ),
  data: z.object({
    list: z
      .array(
        z.object({
          value: z.string().describe('值；无权查看手机号时，像手机号的值打码'),
          label: z.string().nullable().describe('值的名称；没有时为 null'),
          is_masked: z.boolean().describe('是否打码；打码的值不能用于条件'),
        }),
      )
      .describe('值，多的在前'),
    closed: z
      .string()
      .nullable()
      .describe('不能按它的值设条件的原因，一句话：值中有手机号而无权查看；可以时为 null。「有值」「为空」总可以'),
    closed_outcome: AnyOutcome.nullable(),
  }),
})
