import { maskedPhone, phoneOf } from '#contract/phone.ts'
import { unseal } from './seal.ts'

/** Digits at the end that stay, as those of a mobile number do. */
const SHOWN_DIGITS = 4
const DIGIT = /\p{Nd}/gu

/** A stored phone as the viewer may see it; masked for viewers who may not see phones, also where it is no number. */
export function phoneFor(viewer: { see_phones: boolean }, sealed: string, key: Buffer): string | null {
  const phone = unseal(sealed, key)
  return phone === '' || viewer.see_phones ? phone || null : maskedColumn(phone)
}

/** What stands in a column of phones, masked: also numbers of other countries, landlines, and spellings that no import reads. */
export function maskedColumn(phone: string): string {
  const number = phoneOf(phone)
  if (number !== null) return maskedPhone(number)
  let left = phone.match(DIGIT)?.length ?? 0
  return phone.replace(DIGIT, (digit) => (left-- > SHOWN_DIGITS ? '*' : digit))
}
