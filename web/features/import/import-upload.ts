import { z } from 'zod'
import { localId } from '../../lib/local-id.ts'
import { saved } from '../../lib/saved-context.ts'
import { openChosenFiles } from '../../lib/upload/chosen-files.ts'
import { openSending } from '../../lib/upload/sending.ts'
import { newTransfer, restored, Transfer } from '../../lib/upload/transfer.ts'
import { openTransferList } from '../../lib/upload/transfer-list.ts'
import { refusalOfFile } from './upload-file.ts'

/** How earlier versions stored a sent file. */
const Sent = z.object({ name: z.string(), size: z.number(), upload_id: z.string() })

/** This tab's file from before a reload. */
export function keptFile(): Transfer | null {
  const kept = saved.importUpload.get()
  const file = Transfer.safeParse(kept).data
  if (file) return restored(file)
  const sent = Sent.safeParse(kept).data
  if (!sent) return null
  const { name, size, upload_id } = sent
  return { ...newTransfer(upload_id, { name, size, lastModified: 0 }), phase: 'done', sent: size, uri: upload_id }
}

/** The page's one upload; it survives a reload. */
export function openImportUpload(kept: Transfer | null, onChange: (file: Transfer | null) => void) {
  const list = openTransferList(kept ? [kept] : [], ([file = null]) => {
    if (file) saved.importUpload.set(file)
    else saved.importUpload.clear()
    onChange(file)
  })
  const sending = openSending('import', list)
  const chosen = openChosenFiles(list)
  const file = () => list.all()[0]

  function clear(isUsed = false) {
    const item = file()
    if (!item) return
    chosen.forget(item.id)
    list.remove(item.id)
    void sending.drop(item, isUsed)
  }

  return {
    restore: sending.restoreAll,

    /** Replaces the file with another and sends it; returns why it is refused, or null. */
    begin(given: File): string | null {
      clear()
      const refusal = refusalOfFile(given)
      if (refusal) return refusal
      const item = newTransfer(localId(), given)
      chosen.remember(item.id, given)
      list.add([item])
      void sending.send(item.id, given)
      return null
    },

    /** Supplies the file that was lost on reload, and continues; returns why another file is not accepted. */
    bring(given: File): string | null {
      const item = file()
      return item ? chosen.bring(item.id, given, () => void sending.send(item.id, given)) : null
    },

    pause() {
      const item = file()
      if (item) sending.pause(item.id)
    },

    resume() {
      const item = file()
      if (!item || sending.resume(item.id)) return
      chosen.sendAgain(item.id, (given) => void sending.send(item.id, given))
    },

    /** Drops the file. */
    clear: () => clear(),

    /** Forgets the file in the page only, since an import uses it on the server. */
    finish: () => clear(true),

    close() {
      list.close()
      sending.close()
    },
  }
}
