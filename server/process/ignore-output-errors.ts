/** Keeps the process alive when its output cannot be written, because the reader has gone or the log's disk is full. */
export function ignoreOutputErrors(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
}
