/** The ids in a list of the URL, as `3,9`; what is no id is left out. */
export const idsIn = (text: string | null): number[] =>
  (text ?? '')
    .split(',')
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0)
