/**
 * How phones are written besides eleven plain digits: what a spreadsheet or a person puts around and between them. The
 * engine's SQL is made of the same tables (`server/identifiers/identifier-sql.ts`), and a property test compares the two.
 */

/** Full-width characters, each with its plain one at the same place. */
export const FULL_WIDTH = { from: '０１２３４５６７８９＋－．（）', to: '0123456789+-.()' } as const
/** Dropped wherever it stands: blanks, hyphens, dots, brackets, and the apostrophe with which Excel marks a text. */
export const PHONE_NOISE = '[ \\t\u00a0\u2000-\u200a\u202f\u205f\u3000\ufeff()\'’"‐‑‒–—―·•.-]'
/** A Chinese mobile number after the country's code; the number is the first group. */
export const PHONE_WITH_CODE = '^(?:[+]86|0086|86)?(1[3-9][0-9]{9})$'
/** What a spreadsheet adds to a number that it keeps as a decimal one. */
export const DECIMAL_PHONE = '^([+]?[0-9]{11,15})[.]0+$'

/** A number as viewers see it who may not see phones. */
export const maskedPhone = (phone: string): string => `${phone.slice(0, 3)}****${phone.slice(-4)}`
/** What `maskedPhone` gives. */
export const MASKED_PHONE = /^1[3-9][0-9]\*{4}[0-9]{4}$/

/** A mobile number of eleven digits. */
export const PHONE = /^1[3-9][0-9]{9}$/
/** Characters; longer texts are no phones. */
export const PHONE_TEXT_MAX = 40
const noise = new RegExp(PHONE_NOISE, 'g')
const withCode = new RegExp(PHONE_WITH_CODE)
const decimal = new RegExp(DECIMAL_PHONE)
const narrow = new Map([...FULL_WIDTH.from].map((char, at) => [char, FULL_WIDTH.to[at] as string]))

/** The eleven digits of a mobile number however it is written; null when the text is none. */
export function phoneOf(text: string): string | null {
  if (PHONE.test(text)) return text
  if (text.length > PHONE_TEXT_MAX) return null
  const plain = [...text].map((char) => narrow.get(char) ?? char).join('')
  return withCode.exec(plain.replace(decimal, '$1').replace(noise, ''))?.[1] ?? null
}
