export interface NameLimit {
  max: number
  /** Bytes are UTF-8's. */
  unit: 'bytes' | 'characters'
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'grapheme' })

export const lengthOf = (text: string, unit: NameLimit['unit']): number =>
  unit === 'bytes' ? new TextEncoder().encode(text).length : [...text].length

/** The text, cut to the limit between two visible characters. */
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
 * A crowd's name on a platform. One that fits stays as it is unless it `mustDiffer`; otherwise it ends in `_` and the
 * unique mark, and is cut before it where it must be.
 */
export function audienceName(name: string, unique: string, limit: NameLimit, mustDiffer: boolean): string {
  if (!mustDiffer && lengthOf(name, limit.unit) <= limit.max) return name
  const mark = `_${unique}`
  const room = limit.max - lengthOf(mark, limit.unit)
  if (room < 1) throw new Error(`no room for a name before ${mark}`)
  return shorten(name, { ...limit, max: room }) + mark
}
