/** Thrown when the object store could not be reached or broke the connection; the cause is Node's own error. */
export class ObjectStoreAway extends Error {
  constructor(cause: unknown) {
    super('the object store does not answer', { cause })
    this.name = 'ObjectStoreAway'
  }
}

/** Renames a failed connection; an abort by the caller stays what it is. */
export function asObjectStoreAway(error: unknown): unknown {
  return error instanceof Error && error.name === 'AbortError' ? error : new ObjectStoreAway(error)
}
