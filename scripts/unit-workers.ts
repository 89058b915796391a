const GIB = 2 ** 30
/** Of a test file: its process with stores open (0.6 to 0.7 GB), a server that it starts, and its files in memory. */
const FILE_BYTES = 2 * GIB
/** For vitest itself and the rest of the machine. */
const RESERVED_BYTES = 2 * GIB
/** A file waits for its stores and servers for a third of its time: two cores are busy with four. */
const FILES_PER_CORE = 2

/** How many test files run at once, with `memory` bytes available. */
export function unitWorkers({ cores, memory }: { cores: number; memory: number }): number {
  const byMemory = Math.floor((memory - RESERVED_BYTES) / FILE_BYTES)
  return Math.max(1, Math.min(Math.ceil(cores * FILES_PER_CORE), byMemory))
}
