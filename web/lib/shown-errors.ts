/** Failures that a page shows in place; the popup leaves them out, so that each is told once. */
const shown = new WeakSet<Error>()

export const showInPlace = (error: Error) => {
  shown.add(error)
}
export const isShownInPlace = (error: Error) => shown.has(error)
