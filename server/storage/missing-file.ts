/** For `catch`: a file that is gone is null; whatever else went wrong with it stays an error. */
export function unlessGone(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
  throw error
}
