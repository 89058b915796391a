/** Keeps the process alive when its output cannot be written: the reader has left, or the disk of the log is full. */
export function ignoreOutputErrors(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
}
