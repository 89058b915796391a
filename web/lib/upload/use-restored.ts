import { useEffect } from 'react'

/** Continues the transfers of before a reload while the page shows them. */
export function useRestored({ restore, close }: { restore(): void; close(): void }): void {
  useEffect(() => {
    // Deferred, so that an effect which is undone at once (React's strict mode) starts nothing.
    const begin = setTimeout(restore)
    return () => {
      clearTimeout(begin)
      close()
    }
  }, [restore, close])
}
