import type { z } from 'zod'

type RawIssue = Parameters<z.core.$ZodErrorMap>[0]

const TYPES: Record<string, string> = {
  string: '文字',
  number: '数字',
  nan: '数字',
  int: '整数',
  boolean: '布尔值（true 或 false）',
  array: '列表',
  tuple: '列表',
  object: '对象',
  record: '对象',
  null: '空值',
  date: '日期',
}

/**
 * The sentence for a schema without a message of its own; it names the field. zod's own Chinese messages name no field
 * and contain English words.
 */
export const refusalWords: z.core.$ZodErrorMap = (issue) => `${fieldOf(issue.path)}${faultOf(issue)}`

/** The same for a missing field. */
export const leftOutWords = (path: readonly PropertyKey[]): string => `${fieldOf(path)}不能缺少`

const fieldOf = (path: readonly PropertyKey[] | undefined) =>
  path?.length ? `参数「${path.map(String).join('.')}」` : '请求内容'

function faultOf(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? '不能缺少' : `应为${TYPES[issue.expected] ?? '另一种类型'}`
    case 'invalid_value':
      return `只能是${choices(issue.values)}`
    case 'too_big':
      return `${boundWord(issue, '最多', '不能大于', '应小于')} ${issue.maximum}${unitOf(issue.origin)}`
    case 'too_small':
      if (issue.minimum === 1 && unitOf(issue.origin)) return '不能为空'
      return `${boundWord(issue, '至少', '不能小于', '应大于')} ${issue.minimum}${unitOf(issue.origin)}`
    case 'not_multiple_of':
      return `应为 ${issue.divisor} 的倍数`
    case 'unrecognized_keys':
      return `中有不认识的参数：${choices(issue.keys)}`
    case 'invalid_union':
      return unionFault(issue)
    case 'invalid_format':
      return '的格式不正确'
    default:
      return '不正确'
  }
}

/** For a union of literals or a discriminated union: lists the accepted values. */
function unionFault(issue: Extract<RawIssue, { code: 'invalid_union' }>): string {
  const literals = issue.errors.flatMap(([first]) => (first?.code === 'invalid_value' ? first.values : []))
  const options = 'options' in issue && Array.isArray(issue.options) ? issue.options : null
  const values = options ?? (literals.length >= issue.errors.length ? literals : [])
  return values.length > 0 ? `只能是${choices(values)}` : '不正确'
}

const choices = (values: readonly unknown[]) => values.map((value) => `「${String(value)}」`).join('、')

const UNITS: Record<string, string> = { string: ' 个字符', array: ' 项' }
const unitOf = (origin: string) => UNITS[origin] ?? ''

type Bound = { origin: string; inclusive?: boolean | undefined; exact?: boolean | undefined }
function boundWord({ origin, inclusive, exact }: Bound, count: string, included: string, excluded: string): string {
  if (exact) return '应为'
  if (unitOf(origin)) return count
  return inclusive ? included : excluded
}
