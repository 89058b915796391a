import { z } from 'zod'
import {
  CheckFlag,
  CommaIds,
  CommaList,
  ID_MAX,
  Id,
  IdParam,
  ItemName,
  keysOf,
  meaningsOf,
  Nothing,
  PageQuery,
  Seconds,
  SoughtId,
} from './common.ts'
import { CrowdListQuery } from './crowd-list.ts'
import { endpoint } from './endpoint.ts'
import { LivePlan } from './live-plan.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { platformWords } from './platform.ts'
import { NEVER } from './rule-crowd.ts'
import { withSpellings } from './spellings.ts'
import { DirId, pathFor } from './storage-path.ts'
import { PlatformId, TARGETING_BYTES_MAX, utf8Bytes } from './targeting/common.ts'
import { CopyChange } from './targeting/copy-change.ts'
import { PACKAGE_CODES, PackageCode } from './targeting/package-codes.ts'
import { PackageQuota } from './targeting/quota.ts'
import { LeftOutWords } from './targeting/there.ts'

const group = '定向包'

/** The most packages of an account; no platform publishes such a bound for packages that are only kept here. */
export const PACKAGES_MAX = 5000
/** How many earlier versions of a package are kept. */
export const HISTORY_KEPT = 100

/** Statuses of a package with their labels. */
export const TARGETING_STATUS = {
  '1': '正常',
  '2': '使用中',
  '3': '同步中',
  '4': '同步失败',
  '5': '已失效',
  '-1': '人群失效',
} as const
const TargetingStatus = z
  .union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5), z.literal(-1)])
  .describe(meaningsOf(TARGETING_STATUS))
export type TargetingStatus = z.infer<typeof TargetingStatus>

/** Where a package was made. */
export const PACKAGE_ORIGINS = { own: '在这里新建', platform: '来自平台' } as const
export type PackageOrigin = keyof typeof PACKAGE_ORIGINS

/** How the copy of a package on its platform stands. */
export const MIRROR_STATES = {
  local: '仅本地',
  waiting: '同步中',
  paused: '等待授权',
  failed: '同步失败',
  synced: '已同步',
  changed: '平台上已修改',
  gone: '平台上已删除',
} as const
export type MirrorState = keyof typeof MIRROR_STATES

const Path = <const P extends string>(path: P) => `/api/v1/gdtcrowd/custom/targetings/${path}` as const
/** The last part of the paths is a version of the calls, which all mean the same. */
const Version = z.object({
  v: z.coerce
    .number()
    .pipe(z.union([z.literal(1), z.literal(2)]))
    .default(2)
    .describe('接口的版本，1 或 2，两者相同'),
})
export const versioned = <const P extends string>(path: P) =>
  ({ path: Path(`${path}/{v}`), also: [Path(path)], group, params: Version }) as const

/** A package in the lists. */
export const TargetingPackage = z.object({
  id: Id.describe('定向包 ID'),
  name: z.string().describe('定向包名称'),
  tag_id: Id.describe('同 id'),
  status: TargetingStatus,
  in_use: z.boolean().describe('有启用的计划正在使用；状态是 1 和 2 以外的，也可能在使用'),
  fail_outcome: AnyOutcome.nullable(),
  creator_id: Id.nullable().describe('创建人 ID；来自平台的为 null'),
  creator: z.string().describe('创建人姓名；来自平台的为空'),
  created_at: Seconds.describe('创建时间，时间戳（秒）'),
  adv_id: Id.describe('所属广告主 ID；请求里的 adv_id 是平台账户，回传时用 advertiser_id'),
  adv_name: z.string().describe('所属广告主名称'),
  platform: PackageCode,
  advertiser_id: Id.describe('所属平台账户 ID'),
  account_name: z.string().describe('所属平台账户名称'),
  dir_id: Id.describe('所在文件夹 ID'),
  landing_type: z.string().nullable().describe('定向包类型；没有类型的平台为 null'),
  targeting_id: PlatformId.nullable().describe('平台上定向包的编号；只保存在本地的为 null'),
  is_local: z.boolean().describe('只保存在本地：平台没有保存定向包的接口，投放时随计划发送'),
  origin: z
    .enum(keysOf(PACKAGE_ORIGINS))
    .describe(`${meaningsOf(PACKAGE_ORIGINS)}；来自平台的只能查看和复制，不能修改、移动或删除`),
  mirror: z.enum(keysOf(MIRROR_STATES)).describe(`平台上的副本：${meaningsOf(MIRROR_STATES)}`),
  mirrored_at: Seconds.nullable().describe('平台上的副本最近一次与本地相同的时间，时间戳（秒）；没有过时为 null'),
  platform_changed: z.boolean().describe('平台上的副本被人修改过，本地保持不变：请选择采用平台或覆盖平台'),
  left_out: z
    .array(LeftOutWords)
    .describe('平台上的限制中这里的定向内容无法表示的：来自平台的，或在平台上给这里的定向包加上的；复制时不会带过去'),
  plans_there: z.int().nullable().describe('平台上使用它的计划数；平台没有说明时为 null'),
  user_count: z.int().nullable().describe('保存时预估的覆盖人数；没有预估过时为 null'),
  magnitude: z.int().nullable().describe('同 user_count'),
  counted_at: Seconds.nullable().describe('预估的时间，时间戳（秒）；没有预估过时为 null'),
  is_estimating: z.boolean().describe('保存后正在向平台询问覆盖人数'),
  invalidTime: Seconds.describe('失效日的最后一秒，时间戳（秒）'),
  ver: z.int().describe('保存的次数；修改时带上它，过期则拒绝'),
})
export type TargetingPackage = z.infer<typeof TargetingPackage>

export const TargetingDetail = TargetingPackage.extend({
  targeting: z.record(z.string(), z.unknown()).describe('定向内容，字段见新建定向包'),
  /** Made anew from the targeting. */
  bring_data: z.string().describe('预览的 JSON：previewTargets 是按定向内容重新生成的文字，来自平台的还有 left_out'),
  invalid_time: Seconds.describe('同 invalidTime'),
  plans: z.array(LivePlan).describe('正在使用它的计划'),
  lost_crowds: z.array(PlatformId).describe('所用人群中平台上已失效的编号；状态不是人群失效时为空'),
  words_there: z.string().nullable().describe('平台自己对定向内容的说明；平台没有给出时为 null'),
  lost_there: z.array(z.string()).describe('平台说明已失效的人群的名称；只有来自平台的定向包才有'),
  on_platform: z
    .object({
      name: z.string().describe('平台上的名称'),
      targeting: z.record(z.string(), z.unknown()).describe('平台上的定向内容'),
      bring_data: z.string().describe('平台上的定向内容的预览，同 bring_data'),
      left_out: z.array(LeftOutWords).describe('平台上的限制中这里无法表示的'),
    })
    .nullable()
    .describe('平台上被修改后的副本；没有被修改时为 null'),
})

export const getTargetingOptions = endpoint({
  method: 'GET',
  path: '/api/v1/gdtcrowd/options/static/{platform}',
  group,
  summary: '平台的固定选项：每个定向字段可选的值与名称',
  params: z.object({ platform: z.coerce.number().pipe(PackageCode).describe(platformWords(PACKAGE_CODES)) }),
  query: z.object({
    type: z.literal('target_human_group').default('target_human_group').describe('选项的种类，目前只有这一种'),
  }),
  data: z.array(
    z.object({
      value: z.string().describe('字段'),
      note: z.string().describe('平台已停用的字段有说明；其他为空'),
      children: z
        .array(
          z.object({
            value: z.union([z.string(), z.int()]).describe('可选的值'),
            label: z.string().describe('值的名称'),
          }),
        )
        .describe('可选的值'),
    }),
  ),
})

export const listLandingTypes = endpoint({
  method: 'GET',
  ...versioned('landing_types'),
  summary: '平台的定向包类型；没有类型的平台为空',
  query: z.object({ platform: z.coerce.number().pipe(PackageCode).describe(platformWords(PACKAGE_CODES)) }),
  data: z.array(z.object({ value: z.string().describe('类型'), label: z.string().describe('类型的名称') })),
})

export const listTargetings = endpoint({
  method: 'POST',
  ...versioned('list'),
  summary: '一个平台的定向包列表',
  body: CrowdListQuery.omit({ dir_id: true }).extend({
    platform: PackageCode.optional().describe(`${platformWords(PACKAGE_CODES)}；不填则由 advertiser_id 得出`),
    advertiser_id: Id.optional().describe('只列这个平台账户的定向包'),
    dir_id: Id.optional().describe('只列这个文件夹里的定向包（不含子文件夹）'),
    tag_id: SoughtId.optional().describe('定向包 ID；不存在的找不到定向包'),
    targeting_id: PlatformId.optional().describe('平台上定向包的编号'),
    status: CommaList.pipe(z.array(z.string().transform(Number).pipe(TargetingStatus)))
      .optional()
      .describe(`状态，逗号分隔，任一即可，例如 \`1,2\`：${meaningsOf(TARGETING_STATUS)}`),
  }),
  readers: true,
  data: z.object({
    list: z.array(TargetingPackage).describe('本页的定向包'),
    page_info: z.object({ total_number: z.int().describe('符合条件的定向包总数') }).describe('分页信息'),
    options: z
      .object({ status: z.record(z.string(), z.string()).describe('状态的值与名称') })
      .describe('筛选可用的选项'),
    quota_outcomes: z.array(AnyOutcome).describe('定向包已达上限的平台账户，每个一条'),
  }),
})

/** Any second of the day; stored as its last one. */
const InvalidTime = z.int('请选择失效时间').positive('请选择失效时间').max(NEVER, '失效时间不能晚于 9999 年')
const textOf = (what: string) =>
  z
    .string()
    .refine((text) => utf8Bytes(text) <= TARGETING_BYTES_MAX, `${what}不能超过 ${TARGETING_BYTES_MAX / 1024} KB`)
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
/** Checked with the rules of its platform, which follows from the account. */
export const Targeting = z.union([z.record(z.string(), z.unknown()), textOf('定向内容')])
const targetingWords =
  '定向内容：对象，或写成 JSON 文字。字段与可选的值由 `GET /api/v1/gdtcrowd/options/static/{platform}` 给出，不认识的字段会被拒绝'
const BringData = textOf('预览')
  .refine(isJson, '预览不是有效的 JSON 文字')
  .describe('预览的 JSON 文字；不会保存，预览按定向内容重新生成')

/** Other spellings of what is saved with a package; `adv_id` is the account, as in all calls about packages. */
const SPELLINGS = {
  name: { for: 'targeting_name', schema: ItemName },
  adv_id: { for: 'advertiser_id', schema: Id },
  dirId: pathFor('dir_id'),
  local_dir_id: pathFor('dir_id'),
} as const
const INVALID_TIME = { invalidTime: { for: 'invalid_time', schema: InvalidTime } } as const

const Saved = z.object({
  id: Id.describe('定向包 ID'),
  ver: z.int().describe('保存后的 ver'),
})

export const addTargeting = endpoint({
  method: 'POST',
  ...versioned('add'),
  summary: '新建定向包，保存在本地，平台有接口时随后同步',
  body: withSpellings(
    z.object({
      targeting_name: ItemName.describe('定向包名称，1 到 30 个字符，同一文件夹内不可重名'),
      dir_id: DirId.describe('存储路径：所在文件夹 ID'),
      advertiser_id: Id.describe('所属平台账户 ID'),
      targeting: Targeting.describe(targetingWords),
      bring_data: BringData.optional(),
      invalid_time: InvalidTime.default(NEVER).describe('失效日的任意一秒，时间戳（秒）；不填则长期有效'),
    }),
    { ...SPELLINGS, ...INVALID_TIME },
  ),
  data: Saved,
})

export const checkNewTargeting = endpoint({
  method: 'POST',
  ...versioned('check'),
  summary: '新建之前的检查：账户的授权与数量，文件夹内的名称；不能新建时拒绝并说明原因，不保存',
  body: withSpellings(
    z.object({
      targeting_name: ItemName.describe('定向包名称，1 到 30 个字符'),
      dir_id: DirId.describe('存储路径：所在文件夹 ID'),
      advertiser_id: Id.describe('所属平台账户 ID'),
    }),
    SPELLINGS,
  ),
  data: Nothing,
})

export const updateTargeting = endpoint({
  method: 'POST',
  ...versioned('update'),
  summary: '修改定向包；只给 targeting_name 是重命名。ver 过期则拒绝，不填则以最后一次保存为准',
  body: withSpellings(
    z.object({
      id: Id.describe('定向包 ID'),
      advertiser_id: Id.optional().describe('所属平台账户 ID，不能修改'),
      targeting_id: PlatformId.optional().describe('平台上定向包的编号；给出时必须相符'),
      targeting_name: ItemName.optional().describe('新名称，1 到 30 个字符；不填则不变'),
      dir_id: DirId.optional().describe('新的文件夹 ID；不填则不移动'),
      targeting: Targeting.optional().describe(`${targetingWords}；不填则不变`),
      bring_data: BringData.optional(),
      invalid_time: InvalidTime.optional().describe('新的失效日，时间戳（秒）；不填则不变'),
      ver: z.int().optional().describe('读取定向包时的 ver'),
    }),
    { ...SPELLINGS, ...INVALID_TIME },
  ),
  data: Saved,
})

export const copyTargeting = endpoint({
  method: 'POST',
  ...versioned('copy'),
  summary: '复制定向包，名称自动加后缀；可以复制到另一账户或平台，不能带过去的条件由 copy_preview 列出',
  body: withSpellings(
    z.object({
      id: Id.describe('来源定向包的 ID'),
      targeting_name: ItemName.optional().describe('副本的名称，1 到 30 个字符；不填则自动加后缀'),
      dir_id: DirId.optional().describe('副本所在的文件夹 ID；不填则与来源相同'),
      advertiser_id: Id.optional().describe('副本所属的平台账户 ID；不填则与来源相同'),
      landing_type: z.string().max(40).nullable().default(null).describe('副本的定向包类型；不填则与来源相同'),
      without_crowds: z
        .boolean()
        .default(false)
        .describe('目标账户的人群列表读取失败时，true 不带人群也复制，面向的人会更多；不填则拒绝'),
    }),
    SPELLINGS,
  ),
  data: z.object({
    id: Id.describe('副本的 ID'),
    name: z.string().describe('副本的名称'),
    changes: z.array(CopyChange).describe('没有带过去或有改动的条件'),
  }),
})

export const getTargeting = endpoint({
  method: 'GET',
  ...versioned('get'),
  summary: '一个定向包',
  query: z.object({ id: IdParam.describe('定向包 ID') }),
  data: TargetingDetail,
})

/** The most packages of one deletion or move. */
const IDS_MAX = 500
const tooMany = `一次最多选择 ${IDS_MAX} 个定向包`

export const PackageDeletion = z.object({
  id: Id.describe('定向包 ID'),
  name: z.string().nullable().describe('定向包名称；不存在或已被删除的为 null'),
  is_deleted: z.boolean().describe('是否已删除；只检查时总为 false'),
  msg: z.string().describe('OK 表示可以删除或已删除；否则是不能删除的原因'),
  refusal_outcome: AnyOutcome.nullable(),
})
export type PackageDeletion = z.infer<typeof PackageDeletion>

export const deleteTargetings = endpoint({
  method: 'GET',
  ...versioned('delete'),
  summary: '删除定向包：能删的删除，不能删的保留并逐个说明原因；一个也不能删时整个请求失败。check=1 只检查',
  changes: true,
  query: withSpellings(
    z.object({
      id: CommaIds.pipe(z.array(Id).min(1, '请选择定向包').max(IDS_MAX, tooMany)).describe(
        '定向包 ID，多个以逗号分隔，1 到 500 个',
      ),
      advertiser_id: IdParam.optional().describe('定向包所在的平台账户 ID；给出时必须相符'),
      targeting_id: PlatformId.optional().describe('平台上定向包的编号；给出时必须相符'),
      check: CheckFlag,
    }),
    { adv_id: { for: 'advertiser_id', schema: IdParam } },
  ),
  data: z.object({
    msg: z.string().describe('OK 表示全部可以删除或已删除；否则是第一个不能删除的原因'),
    refusal_outcome: AnyOutcome.nullable(),
    list: z.array(PackageDeletion).describe('每个定向包的结果，按请求里的顺序'),
  }),
})

export const moveTargetings = endpoint({
  method: 'POST',
  ...versioned('move'),
  summary: '批量移动到一个文件夹',
  body: withSpellings(
    z.object({
      id: z.array(Id, '请选择文件').min(1, '请选择文件').max(IDS_MAX, tooMany).describe('定向包 ID，1 到 500 个'),
      dir_id: z
        .int('请选择移动的文件夹')
        .positive('请选择移动的文件夹')
        .max(ID_MAX, '请选择移动的文件夹')
        .describe('目标文件夹 ID'),
    }),
    { dirId: pathFor('dir_id'), local_dir_id: pathFor('dir_id') },
  ),
  data: Nothing,
})

export const getTargetingQuota = endpoint({
  method: 'GET',
  ...versioned('quota'),
  summary: '平台账户的定向包配额',
  query: withSpellings(z.object({ advertiser_id: IdParam.describe('平台账户 ID') }), {
    adv_id: { for: 'advertiser_id', schema: IdParam },
  }),
  data: PackageQuota,
})

/** What a version did to its package. */
export const HISTORY_KINDS = {
  create: '新建',
  copy: '复制',
  update: '修改',
  restore: '恢复',
  adopt: '采用平台',
} as const
export type HistoryKind = keyof typeof HISTORY_KINDS

export const TargetingVersion = z.object({
  ver: z.int().describe('版本'),
  kind: z.enum(keysOf(HISTORY_KINDS)).describe(meaningsOf(HISTORY_KINDS)),
  restored_from: z.int().nullable().describe('恢复的是哪个版本；其他为 null'),
  at: Seconds.describe('保存的时间，时间戳（秒）'),
  saved_by: z.string().describe('保存人姓名'),
  name: z.string().describe('当时的名称'),
  invalidTime: Seconds.describe('当时的失效时间，时间戳（秒）'),
  dir_id: Id.nullable().describe('当时的文件夹 ID；早先的版本没有记录，为 null'),
  dir_name: z.string().nullable().describe('当时的存储路径，上级在前；早先的版本没有记录，为 null'),
  targeting: z.record(z.string(), z.unknown()).describe('当时的定向内容'),
})

export const listTargetingHistory = endpoint({
  method: 'GET',
  ...versioned('history'),
  summary: `定向包的修改历史，最近的在前，最多保留 ${HISTORY_KEPT} 个版本`,
  query: PageQuery.extend({
    id: IdParam.describe('定向包 ID'),
    ver: z.coerce.number().int().positive().optional().describe('只列这个版本'),
  }),
  data: z.object({
    list: z.array(TargetingVersion).describe('本页的版本'),
    earlier: TargetingVersion.nullable().describe('本页最后一个版本之前的版本，用来说明它改了什么；没有时为 null'),
    total: z.int().describe('保留的版本总数'),
  }),
})

export const restoreTargeting = endpoint({
  method: 'POST',
  ...versioned('restore'),
  summary: '把定向包的定向内容与名称恢复为一个旧版本，成为新的版本；名称已被占用时不变，文件夹与失效时间不变',
  body: z.object({
    id: Id.describe('定向包 ID'),
    ver: z.int().positive().describe('要恢复的版本'),
  }),
  data: Saved.extend({ name: z.string().describe('恢复后的名称；旧名称已被占用时是原来的') }),
})
