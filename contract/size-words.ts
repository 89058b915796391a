const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const upToTwo = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

/** 1,289,682 */
export const countWords = (n: number): string => grouped.format(n)

/** 128.97万, 3.2亿; unchanged below ten thousand. Use it only where the exact number is available too. */
export function shortCount(n: number): string {
  const size = Math.abs(n)
  // 99,999,999 would round to 10,000.00万
  if (size >= 99_999_500) return `${upToTwo.format(n / 1e8)}亿`
  if (size >= 1e4) return `${upToTwo.format(n / 1e4)}万`
  return countWords(n)
}

/** Platforms tell no smaller sizes. */
const SIZE_SHOWN_MIN = 1000

export const isSizeShown = (people: number): boolean => people >= SIZE_SHOWN_MIN

/** The size of a package: 小于1000 below that, then as `shortCount`. */
export const sizeWords = (people: number): string =>
  isSizeShown(people) ? shortCount(people) : `小于${SIZE_SHOWN_MIN}`
