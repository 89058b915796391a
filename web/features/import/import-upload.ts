import { z } from 'zod'
import { saved } from '../../lib/saved-context.ts'
import { openSending } from '../../lib/upload/sending.ts'
import { LOST, newTransfer, restored, Transfer } from '../../lib/upload/transfer.ts'
import { openTransferList } from '../../lib/upload/transfer-list.ts'
import { refusalOfFile } from './upload-file.ts'

/** As earlier versions kept a file that was sent. */
const Sent = z.object({ name: z.string(), size: z.number(), upload_id: z.string() })

/** The file of this tab before the page was loaded again. */
export function keptFile(): Transfer | null {
  const kept = saved.importUpload.get()
  const file = Transfer.safeParse(kept).data
  if (file) return restored(file)
  const sent = Sent.safeParse(kept).data
  if (!sent) return null
  const { name, size, upload_id } = sent
  return { ...newTransfer(upload_id, { name, size }), phase: 'done', sent: size, uri: upload_id }
}

/** The one file that the page sends; it is found again after a reload. */
export function openImportUpload(kept: Transfer | null, onChange: (file: Transfer | null) => void) {
  const list = openTransferList(kept ? [kept] : [], ([file = null]) => {
    if (file) saved.importUpload.set(file)
    else saved.importUpload.clear()
    onChange(file)
  })
  const sending = openSending('import', list)
  /** As it was chosen, until the page is left. */
  let chosen: File | null = null
  const file = () => list.all()[0]

  function clear(isUsed = false) {
    const item = file()
    if (!item) return
    chosen = null
    list.remove(item.id)
    void sending.drop(item, isUsed)
  }

  return {
    restore: sending.restoreAll,

    /** Sends another file; answers why it is refused. */
    begin(given: File): string | null {
      clear()
      const refusal = refusalOfFile(given)
      if (refusal) return refusal
      const item = newTransfer(crypto.randomUUID(), given)
      chosen = given
      list.add([item])
      void sending.send(item.id, given)
      return null
    },

    /** The file that a reload lost, which goes on where it was; answers what is wrong with another one. */
    bring(given: File): string | null {
      const item = file()
      if (!item) return null
      if (given.name !== item.name || given.size !== item.size) return `请选择原来的文件「${item.name}」`
      chosen = given
      void sending.send(item.id, given)
      return null
    },

    pause() {
      const item = file()
      if (item) sending.pause(item.id)
    },

    resume() {
      const item = file()
      if (!item || sending.resume(item.id)) return
      if (chosen) void sending.send(item.id, chosen)
      else list.patch(item.id, { phase: 'lost', error: LOST })
    },

    /** Gives the file up. */
    clear: () => clear(),

    /** An import uses the file: only the page forgets it. */
    finish: () => clear(true),

    close() {
      list.close()
      sending.close()
    },
  }
}
