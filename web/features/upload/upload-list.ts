import { forgetKeptLines } from '../../lib/hash/kept-store.ts'
import { localId } from '../../lib/local-id.ts'
import { openChosenFiles } from '../../lib/upload/chosen-files.ts'
import { openSending } from '../../lib/upload/sending.ts'
import { restored } from '../../lib/upload/transfer.ts'
import { openTransferList, type TransferList } from '../../lib/upload/transfer-list.ts'
import { type FileChoice, newItem, type Refusal, sortOut, type UploadItem } from './items.ts'
import { areAllRaw, hashedTo, inspect, openHashing, type Preparation } from './preparing.ts'

type Sending = ReturnType<typeof openSending>
type Hashing = ReturnType<typeof openHashing>

/**
 * The files of one form: each is inspected, hashed if hashing is on, and sent. `prepareAs` says how; it is called whenever
 * the form changes that, and before a file is added.
 */
export function openUploadList(kept: readonly UploadItem[], onChange: (items: readonly UploadItem[]) => void) {
  const list = openTransferList(kept.map(restored), onChange)
  const sending = openSending('crowd', list)
  const hashing = openHashing(list.patch)
  const files = openFiles(list, sending, hashing)

  return {
    restore: sending.restoreAll,
    prepareAs: files.prepareAs,
    add: files.add,
    bring: files.bring,
    pause: sending.pause,
    /** Lines for the preview; null after a reload. */
    firstLines: files.firstLines,
    /** Finds the identifiers of a file in another way, and prepares it again. */
    choose: files.choose,

    /** Continues a paused or failed file. */
    resume(id: string) {
      if (list.find(id) && !sending.resume(id)) files.takeAgain(id)
    },

    remove: files.remove,

    /** Drops all files. */
    discard() {
      for (const { id } of list.all()) files.remove(id)
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
  /** For the preview. They may be raw, so they are not stored with the form. */
  const firstLines = new Map<string, readonly string[]>()
  /** How files are prepared now. What waits for something takes it as it is after that, never as it was before. */
  let now: Preparation | null = null

  /** Inspects, hashes and sends a chosen file. */
  async function take(id: string, file: File): Promise<void> {
    if (!now) return
    const isLatest = list.begin(id)
    chosen.remember(id, file)
    const preparation = now
    const made = hashedTo(preparation)
    list.patch(id, { phase: 'reading', error: null, made, report: null })
    forgetKeptLines(id)
    const said = list.find(id)?.chosen ?? {}
    const { lines, refusal, ...seen } = await inspect(file, preparation, said)
    if (!isLatest()) return
    firstLines.set(id, lines)
    list.patch(id, seen)
    if (refusal !== null) return list.patch(id, { phase: 'failed', error: refusal })
    if (made === null) return sending.send(id, file, isLatest)
    const allRaw = areAllRaw(made, { chosen: said, isUnclear: seen.isUnclear })
    const prepared = await hashing.hash(id, file, made, seen.choice, allRaw)
    if (prepared.kind === 'ended' || !isLatest()) return
    if (prepared.kind === 'refused') return list.patch(id, { phase: 'failed', error: prepared.error })
    list.patch(id, { report: prepared.report })
    await sending.send(id, prepared.blob, isLatest)
  }

  /** Forgets what became of a file, here and on the server. */
  async function drop(item: UploadItem): Promise<void> {
    chosen.forget(item.id)
    firstLines.delete(item.id)
    forgetKeptLines(item.id)
    hashing.end(item.id)
    await sending.drop(item)
  }

  /** Drops what became of a file and takes it again; a later call for the same file takes over. */
  async function restart(item: UploadItem, part: FileChoice = {}): Promise<void> {
    const { id } = item
    const file = chosen.find(id)
    const dropping = drop(item)
    const isLatest = list.begin(id)
    const fresh = newItem(id, { ...item, lastModified: item.modified ?? 0 }, { ...item.chosen, ...part })
    if (file) chosen.remember(id, file)
    list.replace(id, file ? fresh : { ...fresh, phase: 'lost', error: '数据类型已更改，请重新选择该文件' })
    await dropping
    if (file && isLatest() && list.find(id)) await take(id, file)
  }

  /** Sent unchanged before and now: only what its lines look like has changed, unless another type needs another column. */
  async function refresh(item: UploadItem): Promise<void> {
    const file = chosen.find(item.id)
    const preparation = now
    if (!file || !preparation) return
    const { choice, looksLike, isMostlyBad, isUnclear } = await inspect(file, preparation, item.chosen)
    // Another change of the form, or of the file, looks at it anew.
    if (preparation === now && list.find(item.id)?.chosen === item.chosen)
      list.patch(item.id, { choice, looksLike, isMostlyBad, isUnclear })
  }

  return {
    prepareAs(preparation: Preparation): void {
      if (now?.type === preparation.type && now.hashes === preparation.hashes) return
      const isChange = now !== null
      now = preparation
      if (!isChange) return
      for (const item of list.all()) void (hashedTo(preparation) === item.made ? refresh(item) : restart(item))
    },

    add(given: readonly File[]): Refusal[] {
      if (!now) return []
      const { accepted, refused } = sortOut(given, list.all(), hashedTo(now) !== null)
      const added = accepted.map((file) => ({ item: newItem(localId(), file), file }))
      list.add(added.map(({ item }) => item))
      for (const { item, file } of added) void take(item.id, file)
      return refused
    },

    bring: (id: string, file: File) => chosen.bring(id, file, () => void take(id, file)),
    takeAgain: (id: string) => chosen.sendAgain(id, (file) => void take(id, file)),

    firstLines: (id: string) => firstLines.get(id) ?? null,

    async choose(id: string, part: FileChoice): Promise<void> {
      const item = list.find(id)
      if (item && chosen.find(id)) await restart(item, part)
    },

    remove(id: string): void {
      const item = list.find(id)
      list.remove(id)
      if (item) void drop(item)
    },
  }
}
