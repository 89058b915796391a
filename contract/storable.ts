import { type Outcome, outcome } from './outcome.ts'

/** The deepest nesting of a body. A rule of 64 leaves, the deepest thing a call takes, has about 130 levels. */
const DEPTH_MAX = 200

interface Part {
  value: unknown
  /** The keys that lead here. */
  path: readonly string[]
}

/**
 * Why a value that came as JSON cannot be kept: text that no store can hold (half of a surrogate pair, U+0000), by the
 * field's name, or too deep nesting. Null for one that can. Without recursion, so that deep input cannot exhaust the stack.
 */
export function unstorable(input: unknown, depthMax = DEPTH_MAX): Outcome | null {
  const parts: Part[] = [{ value: input, path: [] }]
  for (let part = parts.pop(); part; part = parts.pop()) {
    const { value, path } = part
    if (typeof value === 'string' && !isStorable(value)) return notText(path)
    if (typeof value !== 'object' || value === null) continue
    if (path.length >= depthMax) return outcome('input_too_deep', { max: depthMax })
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key)) return notText(path)
      if (typeof inner === 'string' && !isStorable(inner)) return notText([...path, key])
      if (typeof inner === 'object' && inner !== null) parts.push({ value: inner, path: [...path, key] })
    }
  }
  return null
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')
const notText = (path: readonly string[]) => outcome('input_not_text', { field: path.join('.') })
