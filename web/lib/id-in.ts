/** The id in a parameter of the URL; null if there is none, or something else. */
export const idIn = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null
