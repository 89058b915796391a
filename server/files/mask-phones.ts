import { pipeline, type Readable, Transform } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { DIGIT, ENCODED, PHONE_RUN } from '#contract/phone-runs.ts'

const PHONE = new RegExp(`(?:(?<!${DIGIT})|(?<=${ENCODED}))${PHONE_RUN}(?!${DIGIT})`, 'g')
const DIGITS = new RegExp(DIGIT, 'g')

/** Masks whatever looks like a mobile number in any column, since column names are not reliable. */
export const maskPhones = (text: string): string =>
  text.replace(PHONE, (_, country: string | undefined, phone: string) => {
    // Digits stay as they are written: an address remains one.
    const all = phone.match(DIGITS) ?? []
    return [country, ...all.slice(0, 3), '****', ...all.slice(-4)].join('')
  })

/** How texts that may be phones are shown to a viewer. */
export const phonesFor = ({ see_phones }: { see_phones: boolean }): ((text: string) => string) =>
  see_phones ? (text) => text : maskPhones

/** Whole MD5 and SHA256 texts: trying all numbers gives the phone of a hash. */
const HASH = /(?<![0-9a-f])(?:[0-9a-f]{64}|[0-9a-f]{32})(?![0-9a-f])/gi
/** Masks the phones of lines that were refused, and whatever may be the hash of one; as long as before, so that its fault shows. */
export const maskLines = (text: string): string => maskPhones(text.replace(HASH, (hash) => '*'.repeat(hash.length)))

/** Lines that were refused, as those get them who may not see phones. */
export const maskedLines = (bytes: Readable): Readable => pipeline(bytes, phoneMasking(), () => {})

/** Masks the phones of a streamed text and their hashes, line by line. */
function phoneMasking(): Transform {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const text = rest + decoder.write(chunk)
      const end = text.lastIndexOf('\n') + 1
      rest = text.slice(end)
      done(null, maskLines(text.slice(0, end)))
    },
    flush(done) {
      done(null, maskLines(rest + decoder.end()))
    },
  })
}
