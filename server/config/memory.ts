import { totalmem } from 'node:os'

/** Bytes that this process may use: the machine's, or its container's where that has less. */
export const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
