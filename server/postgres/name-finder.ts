import { findText, mayBePinyin, type Readings, readingsFrom } from '#contract/find-text.ts'

let readings: Promise<Readings> | undefined
/** Loaded with the first search, since it takes 20 ms. */
const loadReadings = () => {
  readings ??= import('pinyin-pro').then(({ polyphonic }) => readingsFrom(polyphonic))
  return readings
}

/**
 * Finds names by characters, pinyin and initials; null where the text has no letters, so that the database finds it.
 * Postgres knows no readings, and which reading of a character is meant depends on what was typed, so the names are read
 * and searched here: 12,000 in 10 to 40 ms, and 40 ms for reading them, measured with PGlite on two shared cores.
 */
export async function nameFinder(text: string): Promise<((name: string) => boolean) | null> {
  if (!mayBePinyin(text)) return null
  const known = await loadReadings()
  return (name) => findText(name, text, known) !== null
}
