/** Characters that the platform refuses in any text. */
const FORBIDDEN = /[<>&'"/\\\t\r\n]+/g

/** A text that the platform takes. */
export const plain = (text: string): string => text.replace(FORBIDDEN, ' ').trim()
