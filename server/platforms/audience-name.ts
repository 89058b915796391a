export interface NameLimit {
  max: number
  /** Bytes in UTF-8. */
  unit: 'bytes' | 'characters'
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'grapheme' })

export const lengthOf = (text: string, unit: NameLimit['unit']): number =>
  unit === 'bytes' ? new TextEncoder().encode(text).length : [...text].length

/** Cuts a text to the limit, between two visible characters. */
export function shorten(text: string, { max, unit }: NameLimit): string {
  let kept = ''
  let left = max
  for (const { segment } of segmenter.segment(text)) {
    left -= lengthOf(segment, unit)
    if (left < 0) break
    kept += segment
  }
  return kept
}

/**
 * A crowd's name on a platform. A name that fits is unchanged unless it `mustDiffer`; otherwise `_` and the unique mark
 * are appended, and the name is cut if that makes it too long.
 */
export function audienceName(name: string, unique: string, limit: NameLimit, mustDiffer: boolean): string {
  if (!mustDiffer && lengthOf(name, limit.unit) <= limit.max) return name
  const mark = `_${unique}`
  const room = limit.max - lengthOf(mark, limit.unit)
  if (room < 1) throw new Error(`no room for a name before ${mark}`)
  return shorten(name, { ...limit, max: room }) + mark
}
