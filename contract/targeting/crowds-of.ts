const INCLUDE = ['retargeting_tags_include', 'custom_audience'] as const
const EXCLUDE = ['retargeting_tags_exclude', 'excluded_custom_audience'] as const
/** The fields of any platform's targeting that hold ids of crowds. */
export const CROWD_FIELDS: readonly string[] = [...INCLUDE, ...EXCLUDE]

/** The ids of the crowds that a targeting uses. */
export function crowdsOf(targeting: Record<string, unknown>): { include: string[]; exclude: string[] } {
  const idsIn = (fields: readonly string[]) =>
    fields.flatMap((field) => {
      const ids = targeting[field]
      return Array.isArray(ids) ? ids.map(String) : []
    })
  return { include: idsIn(INCLUDE), exclude: idsIn(EXCLUDE) }
}

export function usesCrowds(targeting: Record<string, unknown>): boolean {
  const { include, exclude } = crowdsOf(targeting)
  return include.length + exclude.length > 0
}
