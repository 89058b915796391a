import { z } from 'zod'

/** Rows of a page when the call gives no number. */
export const PAGE_SIZE = 10
export const PAGE_SIZE_MAX = 500
/** Characters, not UTF-16 units. */
export const NAME_MAX = 30

/** The largest value of Postgres' integer columns. */
export const ID_MAX = 2 ** 31 - 1
/** An id of ours in a JSON body or answer. */
export const Id = z.int().positive().max(ID_MAX)
/** An id of ours in a path or a query string. */
export const IdParam = z.coerce.number().pipe(Id)
export const IdParams = z.object({ id: IdParam.describe('路径所指对象的 ID') })

/** The end of the year 9999; later times have no date in Postgres or a browser. */
export const SECONDS_MAX = 253_402_300_799
/** Epoch seconds. */
export const Seconds = z.int().nonnegative().max(SECONDS_MAX)

/**
 * Names of crowds, packages and folders: 1 to 30 characters, Chinese or English letters, digits, hyphen, underscore. A
 * viewer who sees a name with its phone masked sends it back so.
 */
export const itemName = (required: string) =>
  z
    .string(required)
    .min(1, required)
    .refine((name) => [...name].length <= NAME_MAX, `名称长度在 1 到 ${NAME_MAX} 个字符`)
    .regex(/^(?:[\p{Script=Han}A-Za-z0-9_-]|[0-9]{3}\*{4}[0-9]{4})*$/u, '名称只支持中英文，数字，横杠，下划线')
export const ItemName = itemName('请输入定向包名称')

/** `a,b,c` in a query string. */
export const CommaList = z
  .union([z.string(), z.array(z.string())])
  .transform((v) => (Array.isArray(v) ? v : v.split(',')).map((s) => s.trim()).filter(Boolean))
/** `1,2,3` in a query string. */
export const CommaIds = CommaList.pipe(z.array(z.string().transform(Number).pipe(Id)))

/** Ids are positive: nothing has it. */
const NOBODYS_ID = -1
const SoughtDigits = z
  .string()
  .regex(/^\d+$/, 'ID 只能是数字')
  .transform((digits) => {
    const id = Number(digits)
    return id > 0 && id <= ID_MAX ? id : NOBODYS_ID
  })
/** An id that a list is filtered by. People paste those of platforms, too: a number that no id of ours can be finds nothing. */
export const SoughtId = z.coerce.string<string | number>().pipe(SoughtDigits)
/** Several of them as `1,2,3` in a query string. */
export const SoughtIds = CommaList.pipe(z.array(SoughtDigits))

const SecondsText = z.string().transform(Number).pipe(Seconds)
/** `from,to` in epoch seconds, both ends included. */
export const SecondsRange = CommaList.pipe(z.tuple([SecondsText, SecondsText], '时间范围应为两个时间戳，以逗号相连'))
/** The start of 2149, the last year that the warehouse has days of; a later second is read as this one. */
const LATEST_DATED = Date.UTC(2149, 0) / 1000
/**
 * The same where numbers are shown for the days: a range that ends before it begins is a mistake, and its ends are on days
 * that the warehouse and a text of ten characters can hold.
 */
export const DayRange = SecondsRange.refine(([from, to]) => from <= to, '时间范围的终点早于起点').transform(
  ([from, to]): [number, number] => [Math.min(from, LATEST_DATED), Math.min(to, LATEST_DATED)],
)

/** No list has rows on later pages, and the first row's number still fits 32 bits. */
const PAGE_MAX = Math.floor(2 ** 32 / PAGE_SIZE_MAX)

export const PageQuery = z.object({
  page: z.coerce
    .number()
    .int()
    .min(1)
    .transform((page) => Math.min(page, PAGE_MAX))
    .default(1)
    .describe('页码，从 1 开始；超出最后一页时列表为空，总数不变'),
  page_size: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE).describe('每页条数，1 到 500'),
})

/** Yes or no in a query string: `1` or `true`, `0` or `false`. */
const Flag = z.enum(['0', '1', 'true', 'false']).transform((flag) => flag === '1' || flag === 'true')
/** `check`: only says whether the call would be refused. */
export const CheckFlag = Flag.prefault('0').describe('1 或 true：只检查，不删除；0 或 false：删除')
export const LocalFlag = Flag.prefault('0').describe('1 或 true：只在本地删除；0 或 false：平台上的一并删除')

export const RefreshFlag = Flag.prefault('0').describe(
  '1 或 true：立即从平台重新读取；0 或 false：可以是几分钟前的副本',
)

/** An empty answer. */
export const Nothing = z.null()

/** The keys of a table of choices with their labels, for the API document: `computing 计算中，done 已完成`. */
export const meaningsOf = (table: Readonly<Record<string, string>>): string =>
  Object.entries(table)
    .map((one) => one.join(' '))
    .join('，')

/** The keys of a table of choices, typed for `z.enum`. */
export const keysOf = <K extends string>(table: Record<K, unknown>) => Object.keys(table) as [K, ...K[]]
