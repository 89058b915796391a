import type { CodeOf } from '../five-tab/labels.ts'
import { editorOf, type FiveTabPlatform } from '../five-tab/platforms.ts'

type AgeBand = CodeOf<'age'>

/** Years of age from the first to the last; a null means this age and above. */
export interface AgeRange {
  min: number
  max: number | null
}

/** No platform tells ages above it apart. */
const OLDEST = 100

const BAND = /^AGE_(?:BETWEEN_(\d+)_(\d+)|ABOVE_(\d+))$/

function rangeOf(band: AgeBand): AgeRange {
  const [, from, to, above] = BAND.exec(band) ?? []
  return above === undefined ? { min: Number(from), max: Number(to) } : { min: Number(above), max: null }
}

const covers = (ranges: readonly AgeRange[], year: number) =>
  ranges.some(({ min, max }) => min <= year && year <= (max ?? OLDEST))

/** The bands of one set that cover the years, and how many years they add. */
function covering(set: readonly AgeBand[], years: readonly AgeRange[]) {
  const bands = set.filter((band) => {
    const { min, max } = rangeOf(band)
    return years.some((one) => one.min <= (max ?? OLDEST) && min <= (one.max ?? OLDEST))
  })
  const ranges = bands.map(rangeOf)
  let added = 0
  for (let year = 0; year <= OLDEST; year++) if (covers(ranges, year) && !covers(years, year)) added++
  return { bands, added }
}

/** Ranges of years in order, those that touch joined. */
export function joined(ranges: readonly AgeRange[]): AgeRange[] {
  const result: AgeRange[] = []
  for (const range of ranges.toSorted((one, other) => one.min - other.min)) {
    const last = result.at(-1)
    if (!last || (last.max !== null && range.min > last.max + 1)) result.push({ ...range })
    else if (last.max !== null && (range.max === null || range.max > last.max)) last.max = range.max
  }
  return result
}

/** Whether two lists of ranges hold the same ages. */
export const isSameYears = (one: readonly AgeRange[], other: readonly AgeRange[]): boolean => {
  for (let year = 0; year <= OLDEST; year++) if (covers(one, year) !== covers(other, year)) return false
  return true
}

export const rangesOf = (bands: readonly AgeBand[]): AgeRange[] => joined(bands.map(rangeOf))

/** The bands of a platform that cover the years and add the fewest; of equal ones its first set. */
export function bandsOf(platform: FiveTabPlatform, years: readonly AgeRange[]): AgeBand[] {
  if (years.length === 0) return []
  const found = editorOf(platform).ageSets.map((set) => covering(set, years))
  return found.toSorted((one, other) => one.added - other.added)[0]?.bands ?? []
}

/** The bands as they are where the platform has them, else those that cover them. */
export const sameBands = (platform: FiveTabPlatform, bands: readonly AgeBand[]): AgeBand[] =>
  editorOf(platform).ageSets.some((set) => bands.every((band) => set.includes(band)))
    ? [...bands]
    : bandsOf(platform, rangesOf(bands))
