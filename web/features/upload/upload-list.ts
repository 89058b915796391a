import { openChosenFiles } from '../../lib/upload/chosen-files.ts'
import { openSending } from '../../lib/upload/sending.ts'
import { restored } from '../../lib/upload/transfer.ts'
import { openTransferList, type TransferList } from '../../lib/upload/transfer-list.ts'
import { newItem, type Refusal, sortOut, type UploadItem } from './items.ts'
import { apparentType, hashedTo, openHashing, type Preparation } from './preparing.ts'

type Sending = ReturnType<typeof openSending>
type Hashing = ReturnType<typeof openHashing>

/** The files of one form: each is inspected, hashed if hashing is on, and sent. */
export function openUploadList(kept: readonly UploadItem[], onChange: (items: readonly UploadItem[]) => void) {
  const list = openTransferList(kept.map(restored), onChange)
  const sending = openSending('crowd', list)
  const hashing = openHashing(list.patch)
  const files = openFiles(list, sending, hashing)

  return {
    restore: sending.restoreAll,
    add: files.add,
    bring: files.bring,
    pause: sending.pause,

    /** Continues a paused or failed file. */
    resume(id: string, preparation: Preparation) {
      if (list.find(id) && !sending.resume(id)) files.takeAgain(id, preparation)
    },

    remove(id: string) {
      const item = list.find(id)
      list.remove(id)
      if (item) void files.drop(item)
    },

    retake: retaking(list, files),

    /** Drops all files. */
    discard() {
      for (const item of list.all()) {
        list.remove(item.id)
        void files.drop(item)
      }
    },

    close() {
      list.close()
      hashing.endAll()
      sending.close()
    },
  }
}
export type UploadList = ReturnType<typeof openUploadList>

function openFiles(list: TransferList<UploadItem>, sending: Sending, hashing: Hashing) {
  const chosen = openChosenFiles(list)

  /** Inspects, hashes and sends a chosen file. */
  async function take(id: string, file: File, preparation: Preparation): Promise<void> {
    const isLatest = list.begin(id)
    chosen.remember(id, file)
    const made = hashedTo(preparation, file.name)
    list.patch(id, { phase: 'reading', error: null, made, report: null })
    const looksLike = await apparentType(file, preparation)
    if (!isLatest()) return
    list.patch(id, { looksLike })
    if (made === null) return sending.send(id, file, isLatest)
    const prepared = await hashing.hash(id, file, made)
    if (prepared.kind === 'ended' || !isLatest()) return
    if (prepared.kind === 'refused') return list.patch(id, { phase: 'failed', error: prepared.error })
    list.patch(id, { report: prepared.report })
    await sending.send(id, prepared.blob, isLatest)
  }

  return {
    take,
    chosen: chosen.find,
    remember: chosen.remember,

    add(given: readonly File[], preparation: Preparation): Refusal[] {
      const { accepted, refused } = sortOut(given, list.all())
      const added = accepted.map((file) => ({ item: newItem(crypto.randomUUID(), file), file }))
      list.add(added.map(({ item }) => item))
      for (const { item, file } of added) void take(item.id, file, preparation)
      return refused
    },

    bring: (id: string, file: File, preparation: Preparation) =>
      chosen.bring(id, file, () => void take(id, file, preparation)),
    takeAgain: (id: string, preparation: Preparation) =>
      chosen.sendAgain(id, (file) => void take(id, file, preparation)),

    async drop(item: UploadItem): Promise<void> {
      chosen.forget(item.id)
      hashing.end(item.id)
      await sending.drop(item)
    },
  }
}
type Files = ReturnType<typeof openFiles>

/** After a change of type or hashing: sends again the files that were prepared differently. */
function retaking(list: TransferList<UploadItem>, files: Files) {
  /** Files dropped in order to be sent again that have not restarted yet. */
  const dropped = new Set<string>()
  let latest = 0

  return async function retake(preparation: Preparation): Promise<void> {
    const mine = ++latest
    for (const { id } of list.all()) {
      // A later change handles all files itself.
      if (mine !== latest) return
      const item = list.find(id)
      if (!item) continue
      const file = files.chosen(id)
      if (hashedTo(preparation, item.name) === item.made && !dropped.has(id)) {
        if (file) list.patch(id, { looksLike: await apparentType(file, preparation) })
        continue
      }
      const fresh = newItem(id, item)
      const dropping = files.drop(item)
      if (file) {
        files.remember(id, file)
        dropped.add(id)
      }
      list.replace(id, file ? fresh : { ...fresh, phase: 'lost', error: '数据类型已更改，请重新选择该文件' })
      await dropping
      if (!file || mine !== latest || !list.find(id)) continue
      dropped.delete(id)
      void files.take(id, file, preparation)
    }
  }
}
