/** Saves a file that the page made. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has begun by then; some browsers read the URL a little later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
