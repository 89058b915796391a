const FEN = 100
/** Digits that a number keeps exactly. */
const DIGITS = 15

/** The fen of an amount in yuan that was typed; not whole where it has more than two decimals, null where it is empty. */
export const fenIn = (yuan: string | number | null): number | null =>
  yuan === null || yuan === '' ? null : Number((Number(yuan) * FEN).toPrecision(DIGITS))

export const yuanIn = (fen: number | null): number | null =>
  fen === null ? null : Number((fen / FEN).toPrecision(DIGITS))

/** An amount as its field shows it once it was left: with two decimals, or as it was typed where those are too few. */
export function yuanText(yuan: string | number | undefined): string {
  if (yuan === undefined || yuan === '') return ''
  return Number.isInteger(fenIn(yuan)) ? Number(yuan).toFixed(2) : String(yuan)
}
