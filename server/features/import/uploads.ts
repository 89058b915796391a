/** Of a file in the object store so much is brought here for a preview: more than its rows are read from. */
export const PREVIEW_BYTES = 16 * 1024 ** 2

/** Uploaded files, as imports use them. */
export interface Uploads {
  /** A whole upload of the viewer's own; anything else is refused. */
  forImport(viewer: { id: number }, id: string): Promise<{ name: string; size: number }>
  /** Has its beginning read, or all of it where that is at hand. */
  withBeginning<T>(
    id: string,
    options: { firstBytes: number; signal?: AbortSignal | undefined },
    read: (path: string, isWhole: boolean) => Promise<T>,
  ): Promise<T>
  /** Where all of its bytes lie on this machine. */
  open(id: string, signal?: AbortSignal): Promise<{ path: string }>
  /** Twice does no harm. */
  remove(id: string): Promise<void>
}
