import { z } from 'zod'
import { Id, IdParam, Nothing, PAGE_SIZE_MAX, PageQuery, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { IdentifierType } from './identifier.ts'
import { AnyOutcome } from './outcomes/entry.ts'

const group = '屏蔽名单'

/** More people, or a larger share of the advertiser's people, are suppressed only after a confirmation. */
export const SUPPRESSED_UNASKED = { people: 1000, share: 0.01 } as const
export const SUPPRESSION_LINES_MAX = 10_000

const Filter = z.object({
  keyword: z
    .string()
    .trim()
    .max(100)
    .optional()
    .describe('一个完整的标识（明文或密文），或遮住的手机号，例如 `138****1234`'),
  type: z.enum(IdentifierType.options).optional().describe('只列有这种标识的条目'),
})
export type SuppressionFilter = z.infer<typeof Filter>

const Entry = z.object({
  key: z.string().describe('条目的编号，移出时使用；已加密，不含标识'),
  phone: z.string().nullable().describe('手机号；无权查看手机号的人看到遮住的；不是手机号或只有密文时为 null'),
  forms: z
    .array(
      z.object({
        type: IdentifierType,
        value: z
          .string()
          .nullable()
          .describe('标识；无权查看手机号的人看不到手机号的密文，为 null，因为由密文可以试出手机号'),
      }),
    )
    .describe('同一标识的各种形式，例如一个手机号的 MD5 与 SHA256'),
  note: z.string().describe('备注'),
  added_at: Seconds.describe('加入的时间，时间戳（秒）'),
})
export type SuppressionEntry = z.infer<typeof Entry>

export const listSuppression = endpoint({
  method: 'GET',
  path: '/api/suppression/list',
  group,
  summary: '广告主的屏蔽名单：推送前一律去除；一个手机号是一个条目',
  query: PageQuery.extend({ adv_id: IdParam.describe('广告主 ID'), ...Filter.shape }),
  data: z.object({
    total: z.int().describe('符合条件的条目数'),
    by_type: z
      .array(z.object({ type: IdentifierType, count: z.int().describe('个数') }))
      .describe('整个名单按标识类型的个数'),
    list: z.array(Entry).describe('本页的条目，最近加入的在前'),
  }),
})

/** Downloads the list, or what matches the filter, as csv; not a JSON call. */
export const SUPPRESSION_EXPORT_PATH = '/api/suppression/export'
export const SuppressionExportQuery = Filter.extend({ adv_id: IdParam })

const Confirm = z
  .string()
  .max(100)
  .optional()
  .describe(
    '屏蔽的人较多（超过 1000 人，或超过广告主用户的 1%）时先被拒绝，答复的 data.confirm 是确认码；带上它再次调用才会加入',
  )
const Note = z.string().max(200).default('').describe('备注，最多 200 个字符')
/** `data` of the refusal that asks first. */
export const SuppressionQuestion = z.object({
  confirm: z.string(),
  identifiers: z.int(),
  people: z.int(),
  total: z.int(),
})

/** One identifier per line. Malformed lines are listed in the answer and not stored. */
export const addSuppression = endpoint({
  method: 'POST',
  path: '/api/suppression',
  group,
  summary: '加入屏蔽名单（逐行）；人数较多时先要求确认',
  body: z.object({
    adv_id: Id.describe('广告主 ID'),
    type: IdentifierType,
    lines: z
      .array(z.string().max(200))
      .min(1, '请输入标识')
      .max(SUPPRESSION_LINES_MAX, `一次最多 ${SUPPRESSION_LINES_MAX} 行`)
      .describe('每行一个标识，1 到 10000 行'),
    note: Note,
    confirm: Confirm,
  }),
  data: z.object({
    added: z.int().describe('新加入的个数'),
    listed: z.int().describe('之前已在名单中的个数'),
    duplicate: z.int().describe('这次的内容中重复的个数'),
    malformed: z
      .array(
        z.object({
          line: z.int().describe('行号，从 1 开始'),
          reason: z.string().describe('无效的原因，一句话'),
          outcome: AnyOutcome,
        }),
      )
      .describe('无效的行，没有加入'),
  }),
})

/** Files come in as an uploaded crowd, whose report says what became of each line. */
export const addSuppressedCrowd = endpoint({
  method: 'POST',
  path: '/api/suppression/crowd',
  group,
  summary: '把一个上传人群的全部标识加入屏蔽名单，作为任务进行；人数较多时先要求确认',
  body: z.object({
    adv_id: Id.describe('广告主 ID'),
    crowd_id: Id.describe('上传的人群 ID'),
    note: Note,
    confirm: Confirm,
  }),
  data: z.object({
    identifiers: z.int().describe('人群中还不在名单里的标识数'),
    task_id: Id.describe('任务的 ID'),
  }),
})

export const removeSuppression = endpoint({
  method: 'POST',
  path: '/api/suppression/remove',
  group,
  summary: '移出屏蔽名单（按标识）',
  body: z.object({
    adv_id: Id.describe('广告主 ID'),
    type: IdentifierType,
    values: z.array(z.string().max(200)).min(1).max(SUPPRESSION_LINES_MAX).describe('要移出的标识，1 到 10000 个'),
  }),
  data: z.object({ removed: z.int().describe('实际移出的个数') }),
})

export const removeSuppressionEntries = endpoint({
  method: 'POST',
  path: '/api/suppression/remove_entries',
  group,
  summary: '批量移出屏蔽名单：选中的条目，或符合条件的全部条目',
  body: z.object({
    adv_id: Id.describe('广告主 ID'),
    keys: z
      .array(z.string().max(600))
      .min(1, '请选择标识')
      .max(PAGE_SIZE_MAX)
      .optional()
      .describe('选中的条目，不能再有筛选条件；不填时移出符合条件的全部'),
    ...Filter.shape,
    count: z.int().nonnegative().describe('确认时看到的条目数；与现在的不同时拒绝，以免移出没有看到的'),
  }),
  data: z.object({ removed: z.int().describe('实际移出的条目数') }),
})

/** The attribute whose value withdraws a person's consent; pushes leave out people with such a value. */
export const getConsent = endpoint({
  method: 'GET',
  path: '/api/consent',
  group,
  summary: '以哪个属性的哪些值为不同意',
  query: z.object({ adv_id: IdParam.describe('广告主 ID') }),
  data: z.object({
    attribute: z.string().nullable().describe('表示是否同意的属性名；没有设置时为 null'),
    refused_values: z.array(z.string()).describe('表示不同意的值'),
    refused_people: z.int().describe('现在不同意的用户人数'),
  }),
})
export const setConsent = endpoint({
  method: 'PUT',
  path: '/api/consent',
  group,
  summary: '设置不同意的属性与值',
  body: z.object({
    adv_id: Id.describe('广告主 ID'),
    attribute: z.string().nullable().describe('表示是否同意的属性名；null 取消设置'),
    refused_values: z.array(z.string().max(200)).max(50).describe('表示不同意的值，最多 50 个'),
  }),
  data: Nothing,
})
