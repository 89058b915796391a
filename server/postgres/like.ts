/** A LIKE pattern that finds the text anywhere, with % and _ taken literally. */
export const likePattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
