import { quote } from '../clickhouse/bind.ts'
import type { Share } from './dictionaries.ts'

/** Draws that depend only on the seed, a number and a name, so the data is the same on every run and in any order. */
export function draws(seed: number, number: string) {
  const bits = (name: string) => `cityHash64(${seed}, ${number}, ${quote(name)})`
  /** 0 to `n` - 1. */
  const below = (n: number, name: string) => `(${bits(name)} % ${n})`
  /** 0 up to 1. */
  const unit = (name: string) => `(${bits(name)} % 1000003 / 1000003)`
  return {
    below,
    unit,
    chance: (share: number | string, name: string) => `(${unit(name)} < ${share})`,
    oneOf: (list: readonly string[], name: string) =>
      `[${list.map(quote).join(', ')}][1 + ${below(list.length, name)}]`,
    /** One of the values, each as often as its share says. */
    pick: (shares: readonly Share[], name: string) => weighted(shares, `${below(1000, name)}`),
  }
}
export type Draws = ReturnType<typeof draws>

/** The value whose share contains `number` (0 to 999) when the shares are added up in order. */
export function weighted(shares: readonly Share[], number: string): string {
  const [last] = shares.at(-1) ?? ['']
  let end = 0
  const cases = shares.slice(0, -1).map(([value, of1000]) => {
    end += of1000
    return `${number} < ${end}, ${quote(value)}`
  })
  return cases.length === 0 ? quote(last) : `multiIf(${cases.join(', ')}, ${quote(last)})`
}

/** An index from 1 into a list whose items are drawn by weight. */
export function weightedIndex(weights: readonly number[], number: (below: number) => string): string {
  let end = 0
  const ends = weights.map((weight) => {
    end += weight
    return end
  })
  return `arrayFirstIndex(e -> e > ${number(end)}, [${ends.join(', ')}])`
}
