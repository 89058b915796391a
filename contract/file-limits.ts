// Separate from `import.ts` and `upload.ts`, because the thread that cuts files does not need their schemas.

/** Bytes of a row in any format. A longer row is refused, so no cell is over 1 MB. */
export const ROW_BYTES_MAX = 1024 * 1024
/** How many times its own size a compressed file may unpack to. */
export const ZIP_RATIO_MAX = 100
