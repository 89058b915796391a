/** An id that no other has in this browser. Over plain http browsers offer no `randomUUID`. */
export const localId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')
