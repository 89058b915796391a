/** A LIKE pattern that finds the text anywhere, its own % and _ taken as they are. */
export const holding = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
