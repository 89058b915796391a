import { useEffect, useState } from 'react'
import type { Transfer } from '../../lib/upload/transfer.ts'
import { useRestored } from '../../lib/upload/use-restored.ts'
import { keptFile, openImportUpload } from './import-upload.ts'

/** A file that was refused before a byte was sent. */
export interface RefusedFile {
  name: string
  reason: string
}

/** The file to import. Its upload can be paused, and continues after a lost connection or a reload. */
export function useUpload() {
  const [kept] = useState(keptFile)
  const [file, setFile] = useState<Transfer | null>(kept)
  const [refused, setRefused] = useState<RefusedFile | null>(null)
  const [upload] = useState(() => openImportUpload(kept, setFile))

  useRestored(upload)

  const isSending = file?.phase === 'uploading' || file?.phase === 'reconnecting'
  useEffect(() => {
    if (!isSending) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isSending])

  const judged = (send: (given: File) => string | null) => (given: File) => {
    const reason = send(given)
    setRefused(reason === null ? null : { name: given.name, reason })
  }
  return {
    file,
    refused,
    begin: judged(upload.begin),
    bring: judged(upload.bring),
    pause: upload.pause,
    resume: upload.resume,
    clear: upload.clear,
    finish: upload.finish,
  }
}
export type ImportUpload = ReturnType<typeof useUpload>
