const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0)

/** What a form holds, as one text to compare. Empty fields count as absent, since fields appear while one types. */
export const contentOf = (values: unknown): string =>
  JSON.stringify(values, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const filled = Object.entries(value).filter(([, field]) => !isEmpty(field))
    return Object.fromEntries(filled.sort(([a], [b]) => (a < b ? -1 : 1)))
  }) ?? ''
