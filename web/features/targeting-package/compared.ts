/** A side of a comparison: a package, or a version of it. */
export interface Compared {
  id: number
  /** Null: as it is now. */
  ver: number | null
}

const SIDE = /^([1-9]\d{0,9})(?:@([1-9]\d{0,5}))?$/

function sideIn(text: string | undefined): Compared | null {
  const [, id, ver] = SIDE.exec(text ?? '') ?? []
  return id === undefined ? null : { id: Number(id), ver: ver === undefined ? null : Number(ver) }
}

/** The two sides in the address: `12,15@3`; null for anything else. */
export function comparedIn(text: string | null): readonly [Compared, Compared] | null {
  const [left, right, more] = text?.split(',') ?? []
  const [one, other] = [sideIn(left), sideIn(right)]
  return one && other && more === undefined ? [one, other] : null
}

export const comparedText = (pair: readonly [Compared, Compared]): string =>
  pair.map(({ id, ver }) => (ver === null ? `${id}` : `${id}@${ver}`)).join(',')
