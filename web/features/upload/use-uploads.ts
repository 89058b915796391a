import { useEffect, useState } from 'react'
import type { UploadItem } from './items.ts'
import { openUploadList } from './upload-list.ts'

/** The files of a form, from where they were when the page was left by a reload. */
export function useUploads(kept: readonly UploadItem[]) {
  const [items, setItems] = useState<readonly UploadItem[]>([])
  const [list] = useState(() => openUploadList(kept, setItems))
  useEffect(() => {
    setItems(list.items())
    // Not before the page is there to stay.
    const begin = setTimeout(list.restore)
    return () => {
      clearTimeout(begin)
      list.close()
    }
  }, [list])
  return { items, list }
}
