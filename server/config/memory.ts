import { totalmem } from 'node:os'

/** Bytes that this process may use: the machine's memory, or its container's limit if that is lower. */
export const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
