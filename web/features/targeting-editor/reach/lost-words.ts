import { isSizeShown, sizeWords } from '#contract/size-words.ts'
import { formatCount, formatLarge } from '../../../lib/format.ts'

/**
 * How many people a dimension costs, exactly and shortened. Where fewer are left than platforms tell, a small difference is
 * not known either, and 0 would say that the dimension costs nothing. `left` is null while it is not known.
 */
export function lostWords(lost: number, left: number | null): { exact: string; short: string } {
  if (left !== null && !isSizeShown(left) && !isSizeShown(lost))
    return { exact: sizeWords(lost), short: sizeWords(lost) }
  return { exact: formatCount(lost), short: lost === 0 ? '0' : `−${formatLarge(lost)}` }
}
