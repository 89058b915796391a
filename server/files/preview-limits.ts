import { outcome } from '#contract/outcomes/make.ts'
import { FileFault } from './file-fault.ts'

/** Bytes of text that a preview reads from a file, and bytes of JSON that it reads from the engine. */
export const HEAD_BYTES = 4 * 1024 * 1024
/** Characters of a cell that a preview shows, and checks: more than the longest id or event name. */
export const CELL_SHOWN = 600
/** The engine's memory limit for one preview in bytes; further previews wait when the process runs PREVIEWS_AT_ONCE. */
export const PREVIEW_MEMORY = 512 * 1024 * 1024
export const PREVIEWS_AT_ONCE = 2
/** Most of this time is for unpacking a large gzip. */
export const PREVIEW_SECONDS = 60
export const previewTimedOut = () => new FileFault(outcome('preview_timed_out', { seconds: PREVIEW_SECONDS }))
/** Heap in MB of the thread that reads the beginning of a text; HEAD_BYTES of small JSON objects take about 100 MB. */
export const PREVIEW_HEAP_MB = 256
