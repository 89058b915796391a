import { maskedPhone, phoneOf } from '#contract/phone.ts'
import { maskPhones } from '../files/mask-phones.ts'
import { unseal } from './seal.ts'

/** A stored phone as the viewer may see it; masked for viewers who may not see phones, also where it is no number. */
export function phoneFor(viewer: { see_phones: boolean }, sealed: string, key: Buffer): string | null {
  const phone = unseal(sealed, key)
  if (phone === '' || viewer.see_phones) return phone || null
  const number = phoneOf(phone)
  return number === null ? maskPhones(phone) : maskedPhone(number)
}
