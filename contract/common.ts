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
export const IdParams = z.object({ id: IdParam })

/** Epoch seconds. */
export const Seconds = z.int().nonnegative()

/** Names of crowds, packages and folders: 1 to 30 characters, Chinese or English letters, digits, hyphen, underscore. */
export const itemName = (required: string) =>
  z
    .string(required)
    .min(1, required)
    .refine((name) => [...name].length <= NAME_MAX, `名称长度在 1 到 ${NAME_MAX} 个字符`)
    .regex(/^[\p{Script=Han}A-Za-z0-9_-]*$/u, '名称只支持中英文，数字，横杠，下划线')
export const ItemName = itemName('请输入定向包名称')

/** `a,b,c` in a query string. */
export const CommaList = z
  .union([z.string(), z.array(z.string())])
  .transform((v) => (Array.isArray(v) ? v : v.split(',')).map((s) => s.trim()).filter(Boolean))
/** `1,2,3` in a query string. */
export const CommaIds = CommaList.pipe(z.array(z.string().transform(Number).pipe(Id)))

const SecondsText = z.string().transform(Number).pipe(Seconds)
/** `from,to` in epoch seconds, both ends included. */
export const SecondsRange = CommaList.pipe(z.tuple([SecondsText, SecondsText], '时间范围应为两个时间戳，以逗号相连'))

export const PageQuery = z.object({
  page: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE),
})

/** An empty answer. */
export const Nothing = z.null()

/** The keys of a table of choices, typed for `z.enum`. */
export const keysOf = <K extends string>(table: Record<K, unknown>) => Object.keys(table) as [K, ...K[]]
