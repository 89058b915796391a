import { dictionary } from '@zxcvbn-ts/language-common'

/** The 49,000 passwords that leaks hold most often, in lower case, without those that `isPattern` finds. */
const COMMON = new Set(dictionary['passwords-common'])
/** Common in Chinese leaks: 我爱你, 一生一世, 我爱你一生一世. */
const COMMON_IN_CHINA = new Set([
  ...['woaini1314', 'woaini520', 'woaini521', 'woaini123', 'woaini123456', 'woaini5201314', '5201314520', '1314520520'],
  ...['520131420', '1314521521', 'aini1314', 'aini5201314', 'qq123456789', 'aaa123456', 'abc123456789', 'wang123456'],
])
const KEYBOARD_ROWS = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const KEYS = KEYBOARD_ROWS.flatMap((row) => [row, [...row].reverse().join('')])
/** Longer parts that repeat are words, which the lists have. */
const PART_MAX = 4

/** Whether a password, in any case, is among those that are tried first. */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase()
  return COMMON.has(text) || COMMON_IN_CHINA.has(text) || isPattern(text)
}

/** A part repeated (88888888, abcabcab), or keys or characters in their order (asdfghjk, 87654321, abcdefgh). */
const isPattern = (text: string): boolean =>
  isRepeated(text) || isRun(text) || KEYS.some((row) => row.includes(text) || `${row}${row}`.startsWith(text))

const isRepeated = (text: string): boolean =>
  Array.from({ length: PART_MAX }, (_, at) => text.slice(0, at + 1)).some(
    (part) => text.length >= 2 * part.length && part.repeat(text.length).startsWith(text),
  )

/** Each character is the one after, or each the one before. */
function isRun(text: string): boolean {
  const steps = new Set(
    Array.from({ length: text.length - 1 }, (_, at) => text.charCodeAt(at + 1) - text.charCodeAt(at)),
  )
  return steps.size === 1 && (steps.has(1) || steps.has(-1))
}
