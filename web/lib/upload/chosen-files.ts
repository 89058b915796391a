import { LOST, type Transfer } from './transfer.ts'

/** A list of transfers of any form. */
interface Transfers {
  find(id: string): Transfer | undefined
  patch(id: string, change: Partial<Transfer>): void
}

/** The files as the viewer chose them, by transfer; lost on reload. `send` begins to send one. */
export function openChosenFiles(list: Transfers) {
  const chosen = new Map<string, File>()
  return {
    find: (id: string) => chosen.get(id),
    remember: (id: string, file: File) => void chosen.set(id, file),
    forget: (id: string) => void chosen.delete(id),

    /** Supplies the file of a transfer that lost it; returns why another file is not accepted. */
    bring(id: string, file: File, send: (file: File) => void): string | null {
      const item = list.find(id)
      if (!item) return null
      if (file.name !== item.name || file.size !== item.size) return `请选择原来的文件「${item.name}」`
      // A changed file is sent from its beginning: what was sent of the earlier one is not part of it.
      if (file.lastModified !== item.modified)
        list.patch(id, { modified: file.lastModified, resume: null, uri: null, sent: 0 })
      chosen.set(id, file)
      send(file)
      return null
    },

    /** Sends the file again, or asks for it if it was lost. */
    sendAgain(id: string, send: (file: File) => void): void {
      const file = chosen.get(id)
      if (file) send(file)
      else list.patch(id, { phase: 'lost', error: LOST })
    },
  }
}
