import { z } from 'zod'
import { Id, IdParam, ItemName, Nothing, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { platformWords } from './platform.ts'
import { CopyChange } from './targeting/copy-change.ts'
import { PACKAGE_CODES, PackageCode } from './targeting/package-codes.ts'
import { versioned } from './targeting-package.ts'

/** The most templates of an advertiser for one platform. */
export const TEMPLATES_MAX = 200
/** The most that one list has, for whoever has many advertisers. */
export const TEMPLATES_LISTED_MAX = 500

const summaryWords = '内容的文字摘要，每项条件一段，最多 20 段'
const Template = z.object({
  id: Id.describe('模板 ID'),
  name: z.string().describe('模板名称'),
  adv_id: Id.describe('所属广告主 ID'),
  adv_name: z.string().describe('所属广告主名称'),
  platform: PackageCode,
  landing_type: z.string().nullable().describe('保存时的定向包类型；没有类型的平台为 null'),
  summary: z.array(z.string()).describe(summaryWords),
  creator: z.string().describe('创建人姓名'),
  created_at: Seconds.describe('创建时间，时间戳（秒）'),
})
export type Template = z.infer<typeof Template>

const ReadyTemplate = z.object({
  key: z.string().describe('现成模板的代码'),
  name: z.string().describe('模板名称'),
  summary: z.array(z.string()).describe(summaryWords),
})

export const listTemplates = endpoint({
  method: 'GET',
  ...versioned('templates/list'),
  summary: '一个平台的定向包模板：广告主自己的与现成的',
  query: z.object({
    platform: z.coerce.number().pipe(PackageCode).describe(platformWords(PACKAGE_CODES)),
    adv_id: IdParam.optional().describe('只列这个广告主的模板；不填则列出您的全部广告主的'),
  }),
  data: z.object({
    list: z.array(Template).describe(`广告主的模板，新建的在前，最多 ${TEMPLATES_LISTED_MAX} 个`),
    ready: z.array(ReadyTemplate).describe('现成的模板'),
  }),
})

export const getTemplate = endpoint({
  method: 'GET',
  ...versioned('templates/get'),
  summary: '一个模板的定向内容；id 与 key 二选一',
  query: z.object({
    id: IdParam.optional().describe('模板 ID'),
    key: z.string().max(40).optional().describe('现成模板的代码'),
    platform: z.coerce
      .number()
      .pipe(PackageCode)
      .optional()
      .describe(`现成模板的平台：${platformWords(PACKAGE_CODES)}`),
  }),
  data: z.object({
    name: z.string().describe('模板名称'),
    platform: PackageCode,
    targeting: z.record(z.string(), z.unknown()).describe('定向内容，不含任何账户的人群'),
  }),
})

const Name = ItemName.describe('模板名称，1 到 30 个字符，同一广告主同一平台内不可重名')

export const addTemplate = endpoint({
  method: 'POST',
  ...versioned('templates/add'),
  summary: `把定向包存为广告主的模板；人群属于账户，不会存入。每个平台最多 ${TEMPLATES_MAX} 个`,
  body: z.object({ package_id: Id.describe('定向包 ID'), name: Name }),
  data: z.object({
    id: Id.describe('模板 ID'),
    changes: z.array(CopyChange).describe('没有存入模板的条件'),
  }),
})

export const renameTemplate = endpoint({
  method: 'POST',
  ...versioned('templates/rename'),
  summary: '重命名模板',
  body: z.object({ id: Id.describe('模板 ID'), name: Name }),
  data: Nothing,
})

export const deleteTemplate = endpoint({
  method: 'POST',
  ...versioned('templates/delete'),
  summary: '删除模板，用它新建的定向包不受影响',
  body: z.object({ id: Id.describe('模板 ID') }),
  data: Nothing,
})
