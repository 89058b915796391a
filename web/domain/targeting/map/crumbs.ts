/** A region on the way from the country to the one that is open. */
export interface Crumb {
  code: string
  name: string
}
export const COUNTRY: Crumb = { code: '100000', name: '中国' }
