// Apart from the schemas of `import.ts` and `upload.ts`: the thread that cuts files needs none.

/** Bytes of a row, whatever the format of its file. A longer one is refused, and with it every cell of over 1 MB. */
export const ROW_BYTES_MAX = 1024 * 1024
export const ROW_TOO_LONG = '单行超过 1 MB'
/** How many times its own size a compressed file may unpack to. */
export const ZIP_RATIO_MAX = 100
