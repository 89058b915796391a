import { createHash } from 'node:crypto'
import { canonicalLine, type IdentifierType } from '#contract/identifier.ts'
import { lineFault } from '#contract/line-fault.ts'
import { type Outcome, outcome, sentenceOf } from '#contract/outcome.ts'
import { phoneOf } from '#contract/phone.ts'

/** A plain phone is stored as both of its hashes, since neither can be derived from the other. */
const PHONE_FORMS = { HASH_MOBILE_PHONE: 'md5', SHA256_MOBILE_PHONE: 'sha256' } as const
export const isPhoneType = (type: IdentifierType): type is keyof typeof PHONE_FORMS => type in PHONE_FORMS

export interface Form {
  type: IdentifierType
  text: string
}
/** What one line names. */
export interface Named {
  forms: Form[]
  /** What its forms have in common; '' when there is only one. */
  entry: string
  /** The plain phone; '' when it is not known. */
  phone: string
}

/** A phone in all the forms that the list stores. */
export function phoneForms(phone: string): Named {
  const forms = Object.entries(PHONE_FORMS).map(([type, hash]) => ({
    type: type as IdentifierType,
    text: createHash(hash).update(phone).digest('hex'),
  }))
  return { forms, entry: `phone:${forms[0]?.text}`, phone }
}

/** What the lines name, and which of them name nothing. */
export function readLines(type: IdentifierType, lines: readonly string[]) {
  const malformed: { line: number; reason: string; outcome: Outcome }[] = []
  const named: Named[] = []
  lines.forEach((line, index) => {
    const text = canonicalLine(type, line)
    const phone = isPhoneType(type) ? phoneOf(text) : null
    if (phone !== null) {
      named.push(phoneForms(phone))
      return
    }
    const found = lineFault(type, line)
    if (found === null) {
      named.push({ forms: [{ type, text }], entry: '', phone: '' })
      return
    }
    const isOther = isPhoneType(type) && found.code === 'line_malformed'
    const fault = isOther ? outcome('line_malformed_phone', { type }) : found
    malformed.push({ line: index + 1, reason: sentenceOf(fault), outcome: fault })
  })
  return { malformed, named }
}
