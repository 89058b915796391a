import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** The csv of malformed lines at that path. */
export const malformedText = (path: string): string => gunzipSync(readFileSync(path)).toString()
