/** The file itself cannot be imported; the message is a Chinese reason, ready to show. */
export class FileFault extends Error {
  override name = 'FileFault'
}
