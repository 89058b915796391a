/** How a Chinese character can be read, in letters without tones; nothing for other characters. */
export type Readings = (character: string) => readonly string[]

/** pinyin-pro's function of this name, which the contract does not load itself. */
type Polyphonic = (text: string, options: { type: 'array'; toneType: 'none'; v: true }) => string[][]

/** The readings of a library, each looked up once. */
export function readingsFrom(polyphonic: Polyphonic): Readings {
  const known = new Map<string, readonly string[]>()
  return (character) => {
    const ready = known.get(character)
    if (ready) return ready
    const readings = isChinese(character)
      ? (polyphonic(character, { type: 'array', toneType: 'none', v: true })[0] ?? []).flatMap(typedAs)
      : []
    known.set(character, readings)
    return readings
  }
}

const isChinese = (character: string) => /\p{Script=Han}/u.test(character)
/** 女 is typed nv, and by some nu. */
const typedAs = (reading: string) => (reading.includes('v') ? [reading, reading.replace('v', 'u')] : [reading])

/** Whether a keyword may be typed as pinyin or initials. */
export const mayBePinyin = (keyword: string) => /[a-z]/i.test(keyword)

/** The part of a text that matches. */
export interface Match {
  from: number
  to: number
}

/**
 * Finds a keyword in a text, ignoring case: by its characters, or typed as full pinyin (`nvxing`), initials (`nx`) or
 * a mixture (`nvx`). Our own walk over the library's readings: its `match` needs half a second for 12,000 names and
 * does not know 女 as nv.
 */
export function findText(text: string, keyword: string, readings: Readings | null): Match | null {
  const wanted = keyword.trim().toLowerCase()
  const lower = text.toLowerCase()
  // A letter whose lower case is longer would shift positions.
  const isShifted = lower.length !== text.length
  const at = lower.indexOf(wanted)
  if (at >= 0) return isShifted ? { from: 0, to: 0 } : { from: at, to: at + wanted.length }
  const typed = wanted.replace(/[\s']/g, '')
  if (!readings || isShifted || !mayBePinyin(typed)) return null
  for (let from = 0; from < lower.length; from++) {
    const to = endOf(lower, from, typed, 0, readings)
    if (to !== null) return { from, to }
  }
  return null
}

/** What ends the names of regions. */
const KIND_OF_REGION = /(?:特别行政区|自治[区州县旗]|地区|[省市区县盟旗])$/

/** Finds a keyword in the name of a region. Pinyin is not about what ends most of them: `sh` means 上海, not each 市. */
export function findRegion(name: string, keyword: string, readings: Readings | null): Match | null {
  const match = findText(name, keyword, readings)
  const stem = name.replace(KIND_OF_REGION, '').length
  return match && mayBePinyin(keyword) && match.from >= stem ? null : match
}

/** Where the rest of what was typed ends in the text, read from a position on; null if it does not match there. */
function endOf(text: string, at: number, typed: string, done: number, readings: Readings): number | null {
  if (done === typed.length) return at
  const character = text[at]
  if (character === undefined) return null
  for (const length of lengthsOf(character, typed, done, readings)) {
    const end = endOf(text, at + 1, typed, done + length, readings)
    if (end !== null) return end
  }
  return null
}

/** How much of what was typed one character can stand for: itself, a reading, or the beginning of one. */
function lengthsOf(character: string, typed: string, done: number, readings: Readings): Set<number> {
  const lengths = new Set<number>()
  if (character === typed[done]) lengths.add(1)
  for (const reading of readings(character)) {
    if (typed.startsWith(reading, done)) lengths.add(reading.length)
    else if (reading.startsWith(typed.slice(done))) lengths.add(typed.length - done)
    if (reading[0] === typed[done]) lengths.add(1)
    if (/^[zcs]h/.test(reading) && typed.startsWith(reading.slice(0, 2), done)) lengths.add(2)
  }
  return lengths
}
