import { useState } from 'react'
import { restored } from '../../lib/upload/transfer.ts'
import { useRestored } from '../../lib/upload/use-restored.ts'
import type { UploadItem } from './items.ts'
import { openUploadList } from './upload-list.ts'

/** The files of a form; after a reload they continue where they were. */
export function useUploads(kept: readonly UploadItem[]) {
  const [items, setItems] = useState<readonly UploadItem[]>(() => kept.map(restored))
  const [list] = useState(() => openUploadList(kept, setItems))
  useRestored(list)
  return { items, list }
}
