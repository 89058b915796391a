import { useEffect, useState } from 'react'
import { restored } from '../../lib/upload/transfer.ts'
import type { UploadItem } from './items.ts'
import { openUploadList } from './upload-list.ts'

/** The files of a form; after a reload they continue where they were. */
export function useUploads(kept: readonly UploadItem[]) {
  const [items, setItems] = useState<readonly UploadItem[]>(() => kept.map(restored))
  const [list] = useState(() => openUploadList(kept, setItems))
  useEffect(() => {
    // Deferred, so that an effect which is undone at once (React's strict mode) starts nothing.
    const begin = setTimeout(list.restore)
    return () => {
      clearTimeout(begin)
      list.close()
    }
  }, [list])
  return { items, list }
}
