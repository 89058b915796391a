/** What became of hostile input. */
interface Tally {
  tried: number
  /** Refused with an outcome and a sentence. */
  refused: number
  /** Accepted, and what it left adds up. */
  accepted: number
  /** Anything else: an internal error, an answer without the envelope, a report that does not add up. */
  others: string[]
}

export const tally = (): Tally => ({ tried: 0, refused: 0, accepted: 0, others: [] })

/** Counts one try; `other` says what was wrong with it. */
export function count(of: Tally, result: 'refused' | 'accepted' | { other: string }): void {
  of.tried++
  if (typeof result === 'object') of.others.push(result.other)
  else of[result]++
}

/** `calls: 3,214 tried, 2,900 refused clearly, 314 accepted rightly, 0 others` */
export const tallyLine = (what: string, { tried, refused, accepted, others }: Tally): string =>
  `${what}: ${tried} tried, ${refused} refused clearly, ${accepted} accepted rightly, ${others.length} others`
