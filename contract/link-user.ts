import { z } from 'zod'
import { CommaIds, Id, IdParam, PageQuery, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { withSpellings } from './spellings.ts'
import { CategoryIcon } from './tag.ts'

const group = '用户'

/** Events of a page of a person's timeline. */
export const TIMELINE_PAGE = 20
/** Most event filters that one call takes; more than any advertiser names by hand. */
export const EVENTS_CHOSEN_MAX = 1000

/** Imports that a page's pin names; only those that had not ended are named. */
const PINNED_MAX = 1000

const ONE_ID_MAX = 1000
/** People's numbers have 32 bits. */
const PERSON_MAX = 2 ** 32 - 1
const SecondsParam = z.coerce.number().pipe(Seconds)

/** Whom a call is about. */
export const Somebody = z.object({
  adv_id: IdParam.optional().describe('广告主 ID；不填时是本人的第一个广告主'),
  oneID: z.string().min(1).max(ONE_ID_MAX).optional().describe('One ID，完整、原样比较'),
  person: z.coerce
    .number()
    .pipe(z.int().nonnegative().max(PERSON_MAX))
    .optional()
    .describe('列表中的 person；与 oneID 给一个即可，用于 One ID 被遮住的人'),
})
export type Somebody = z.output<typeof Somebody>

const Filter = Somebody.extend({
  startTime: SecondsParam.optional().describe('访问时间的起点，时间戳（秒），包含'),
  endTime: SecondsParam.optional().describe('访问时间的终点，时间戳（秒），包含'),
  event: CommaIds.pipe(z.array(Id).max(EVENTS_CHOSEN_MAX, `最多选择 ${EVENTS_CHOSEN_MAX} 个事件`))
    .optional()
    .describe('事件 ID，以逗号相连，发生过任意一个；不填是全部事件'),
  not_event: CommaIds.pipe(z.array(Id).max(EVENTS_CHOSEN_MAX, `最多排除 ${EVENTS_CHOSEN_MAX} 个事件`))
    .optional()
    .describe('不计入的事件 ID，以逗号相连：只计其余的事件'),
})
export type LinkUserFilter = z.output<typeof Filter>

const SPELLINGS = {
  start_time: { for: 'startTime', schema: SecondsParam },
  end_time: { for: 'endTime', schema: SecondsParam },
} as const

const LinkEvent = z.object({
  id: Id.describe('事件 ID，不会改变'),
  name: z.string().describe('事件的显示名称'),
})
export type LinkEvent = z.infer<typeof LinkEvent>

const LinkUser = z.object({
  person: z.int().nonnegative().describe('这个人在广告主中的编号，不会改变'),
  oneID: z.string().describe('One ID，导入时的原样；无权查看手机号时，像手机号的会被遮住'),
  name: z.string().describe('姓名，没有时为空'),
  phone: z.string().nullable().describe('手机号；无权查看手机号时遮住中间四位；没有时为 null'),
  enter_time: Seconds.nullable().describe('筛选范围内最近一次访问，时间戳（秒）；没有事件的人为 null'),
  total: z.int().describe('筛选范围内的事件数'),
})
export type LinkUser = z.infer<typeof LinkUser>

export const listLinkUsers = endpoint({
  method: 'GET',
  path: '/api/linkuser/list',
  group,
  summary: '用户列表：最近访问的在前；没有筛选时包括没有事件的人',
  query: withSpellings(
    Filter.extend({
      page: PageQuery.shape.page,
      per_page: PageQuery.shape.page_size,
    }),
    SPELLINGS,
  ),
  data: z.object({
    data: z.array(LinkUser).describe('本页的用户：最近访问的在前，同一时刻按 One ID'),
    event: z.array(LinkEvent).describe('广告主的全部事件'),
    total: z.int().describe('符合条件的人数，准确值'),
    as_of: Seconds.describe('这些数字是什么时候的，时间戳（秒）'),
  }),
})

export const getLinkUser = endpoint({
  method: 'GET',
  path: '/api/linkuser/info',
  group,
  summary: '一个人的行为：事件总量的走势，与按时间倒序的事件',
  query: withSpellings(
    Filter.extend({
      page: PageQuery.shape.page,
      as_of: SecondsParam.optional().describe('第一页答复的 as_of：翻页时与 pin 一起带上，之后到达的事件不会让行重复'),
      pin: CommaIds.pipe(z.array(Id).min(1).max(PINNED_MAX))
        .optional()
        .describe('第一页答复的 pin，原样带上；只有 as_of 时，与第一页同一秒内导入完的事件不计入'),
    }),
    SPELLINGS,
  ),
  data: z.object({
    user: LinkUser.describe('这个人；访问与事件数在筛选范围内'),
    list: z
      .array(
        z.object({
          icon: CategoryIcon,
          title: z.string().describe('事件的显示名称'),
          info: z.string().describe('事件的内容：页面标题与属性，以分号相连'),
          date: z.string().describe('发生的时间，YYYY-MM-DD HH:mm:ss，部署的时区'),
        }),
      )
      .describe(`本页的事件，最近的在前，每页 ${TIMELINE_PAGE} 条`),
    day_total: z
      .array(
        z.object({
          day: z.string().describe('一段的第一天，YYYY-MM-DD'),
          total: z.int().describe('这一段的事件数'),
        }),
      )
      .describe('事件总量，没有事件的为 0'),
    day_step: z
      .enum(['day', 'week', 'month'])
      .describe('day_total 一段的长度：超过 366 天按周，超过 366 周按月；第一段与最后一段可能不满'),
    event: z.array(LinkEvent).describe('广告主的全部事件'),
    total: z.int().describe('符合条件的事件数'),
    total_page: z.int().describe('页数'),
    first_day: z.string().nullable().describe('这个人第一个事件的日期；没有事件时为 null'),
    pin: z.string().describe('计入了哪些导入：翻页时原样带上'),
    as_of: Seconds.describe('这些数字是什么时候的，时间戳（秒）'),
  }),
})

/** Downloads the list, or with a person their events, or with a person and `list` their row of it, as csv; not a JSON call. */
export const LINK_USER_DOWNLOAD_PATH = '/api/linkuser/download'
export const LinkUserDownload = withSpellings(Filter.extend({ list: z.literal('1').optional() }), SPELLINGS)
