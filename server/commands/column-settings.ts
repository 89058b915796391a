import type { ColumnSettings } from '#contract/import.ts'
import { FieldType } from '#contract/tag-field.ts'

/** Options of both kinds of import that settle how columns are stored and shown. */
export const FIELD_OPTIONS = {
  rename: { type: 'string', multiple: true },
  display: { type: 'string', multiple: true },
  type: { type: 'string', multiple: true },
  label: { type: 'string', multiple: true },
} as const

const TYPES = FieldType.options.join('、')
export const FIELD_HELP = [
  '--rename 列=属性名       存为另一个属性名，可多次',
  '--display 列=显示名称    显示名称，可多次',
  `--type 列=类型           值的类型，可多次；类型有 ${TYPES}；不写则由数据推断`,
  '--label 列=值=名称       值的名称，如 性别=0=男，可多次',
]

interface Typed {
  rename?: string[] | undefined
  display?: string[] | undefined
  type?: string[] | undefined
  label?: string[] | undefined
}

/** The settings of columns from the words that were typed; undefined if there are none. */
export function columnSettings({
  rename = [],
  display = [],
  type = [],
  label = [],
}: Typed): ColumnSettings[] | undefined {
  const settings = new Map<string, ColumnSettings>()
  const of = (column: string) => {
    const known = settings.get(column) ?? { column }
    settings.set(column, known)
    return known
  }
  for (const words of rename) {
    const { column, last } = cut('--rename', words, '列=属性名')
    of(column).name = last
  }
  for (const words of display) {
    const { column, last } = cut('--display', words, '列=显示名称')
    of(column).display_name = last
  }
  for (const words of type) {
    const { column, last } = cut('--type', words, '列=类型')
    const read = FieldType.safeParse(last)
    if (!read.success) throw new Error(`--type ${words} 不正确：类型有 ${TYPES}`)
    of(column).type = read.data
  }
  for (const words of label) {
    const { column, last, middle } = cut('--label', words, '列=值=名称')
    if (middle === null) throw new Error(`--label ${words} 不正确：要写成 列=值=名称`)
    const one = of(column)
    one.dictionary = [...(one.dictionary ?? []), { value: middle, label: last }]
  }
  return settings.size === 0 ? undefined : [...settings.values()]
}

/** The column stands before the first =, the last word after the last one. */
function cut(option: string, words: string, form: string) {
  const [first, last] = [words.indexOf('='), words.lastIndexOf('=')]
  if (first < 1 || last === words.length - 1) throw new Error(`${option} ${words} 不正确：要写成 ${form}`)
  return {
    column: words.slice(0, first),
    middle: last > first ? words.slice(first + 1, last) : null,
    last: words.slice(last + 1),
  }
}
