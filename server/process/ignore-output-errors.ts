/** Who reads what this process prints may leave, and the disk of its log may be full: neither ends the work. */
export function ignoreOutputErrors(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
}
