/** Bytes of a file in the object store that are downloaded for a preview; more than its rows need. */
export const PREVIEW_BYTES = 16 * 1024 ** 2

/** Uploaded files, as imports use them. */
export interface Uploads {
  /** A complete upload of the viewer; anything else is refused. */
  forImport(viewer: { id: number }, id: string): Promise<{ name: string; size: number }>
  /** Runs `read` on its beginning, or on the whole file if it is on this machine. */
  withBeginning<T>(
    id: string,
    options: { firstBytes: number; signal?: AbortSignal | undefined },
    read: (path: string, isWhole: boolean) => Promise<T>,
  ): Promise<T>
  /** The path of the whole file on this machine. */
  open(id: string, signal?: AbortSignal): Promise<{ path: string }>
  /** May be repeated. */
  remove(id: string): Promise<void>
}
