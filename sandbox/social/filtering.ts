import type { Context } from './access.ts'
import { Refusal } from './envelope.ts'
import { codeAt, eachAt, listAt, objectAt, textAt } from './values.ts'

export interface Filter {
  field: string
  operator: string
  values: string[]
}
export interface FilterRule {
  operators: readonly string[]
  /** The most values of an operator that takes several. */
  most: number
  bytes?: number
  /** What a value looks like. */
  form?: RegExp
}

/** `filtering`: `[{"field":"…","operator":"…","values":["…"]}]`. */
export function filtersIn({ given }: Context, rules: Readonly<Record<string, FilterRule>>, most: number): Filter[] {
  const list = given.json('filtering')
  if (list === undefined) return []
  return listAt(list, 'filtering', { least: 0, most }).map((one, no) => {
    const path = `filtering[${no}]`
    const filter = objectAt(one, path, ['field', 'operator', 'values'])
    const missing = ['field', 'operator', 'values'].filter((name) => filter[name] === undefined)
    if (missing.length > 0)
      throw new Refusal(
        18001,
        missing.map((name) => `${path}.${name}`),
      )
    const field = codeAt(filter.field ?? null, `${path}.field`, Object.keys(rules))
    const rule = rules[field] as FilterRule
    const operator = codeAt(filter.operator ?? null, `${path}.operator`, rule.operators)
    const values = eachAt(
      filter.values ?? null,
      `${path}.values`,
      { most: operator === 'IN' || rule.operators.length === 1 ? rule.most : 1 },
      (value, at) => textAt(value, at, 1, rule.bytes ?? 120),
    )
    if (values.some((value) => rule.form && !rule.form.test(value))) throw new Refusal(31002, [`${path}.values`])
    return { field, operator, values }
  })
}
