import { Transform } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

const PHONE = /(?<!\d)((?:\+?86[ -]?)?1\d{2})[ -]?\d{4}[ -]?(\d{4})(?!\d)/g

/** Masks whatever looks like a mobile number in any column, since column names are not reliable. */
const maskPhones = (text: string) => text.replace(PHONE, '$1****$2')

/** Masks the phones of a streamed text, line by line. */
export function phoneMasking(): Transform {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const text = rest + decoder.write(chunk)
      const end = text.lastIndexOf('\n') + 1
      rest = text.slice(end)
      done(null, maskPhones(text.slice(0, end)))
    },
    flush(done) {
      done(null, maskPhones(rest + decoder.end()))
    },
  })
}
