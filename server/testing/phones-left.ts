import { createHash } from 'node:crypto'
import { maskedPhone } from '#contract/phone.ts'

const hashed = (way: string) => (text: string) => createHash(way).update(text).digest('hex')
/** What a phone may stand as. */
const FORMS = [
  (phone: string) => phone,
  hashed('md5'),
  hashed('sha256'),
  (phone: string) => hashed('sha256')(hashed('md5')(phone)),
]
/** Shorter runs of hexadecimal characters are in some hash by chance. */
const TELLING = 8

/** Whether a word may be the text, or a part of it: `12****ef` has its ends. */
function mayBe(word: string, text: string): boolean {
  const ends = word.split(/\*{3,}/)
  if (ends.length === 1) return word.length >= TELLING && text.includes(word)
  return text.startsWith(ends[0] ?? '') && text.endsWith(ends.at(-1) ?? '')
}

/** How many of the 10,000 numbers of the masked phone agree with everything that a text tells of the phone. */
export function phonesLeft(told: string, phone: string): number {
  const words = new Set(told.toLowerCase().match(/[0-9a-f*]+/g))
  const clues = FORMS.flatMap((form) =>
    [...words].filter((word) => mayBe(word, form(phone))).map((word) => ({ form, word })),
  )
  const [head, tail] = maskedPhone(phone).split('****')
  const numbers = Array.from({ length: 10_000 }, (_, n) => `${head}${String(n).padStart(4, '0')}${tail}`)
  return numbers.filter((number) => clues.every(({ form, word }) => mayBe(word, form(number)))).length
}
