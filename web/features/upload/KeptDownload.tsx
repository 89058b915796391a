import { RowAction } from '../../components/RowAction.tsx'
import { saveBlob } from '../../components/save-blob.ts'
import { keptLinesCsv } from '../../lib/hash/kept-lines.ts'
import { findKeptLines } from '../../lib/hash/kept-store.ts'

/** Saves the malformed lines of a file, which only this page has. */
export function KeptDownload({ id, name }: { id: string; name: string }) {
  const kept = findKeptLines(id)
  if (!kept) return <div>无效行不再保留；重新选择该文件可再次得到</div>
  return (
    <div>
      <RowAction onClick={async () => saveBlob(await keptLinesCsv(kept), `${name}-无效行.csv`)}>
        下载无效行（仅在本机）
      </RowAction>
    </div>
  )
}
