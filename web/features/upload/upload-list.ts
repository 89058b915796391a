import type { IdentifierType } from '#contract/identifier.ts'
import { lookFault } from '#contract/identifier-look.ts'
import { fileFault } from '#contract/upload.ts'
import { hashFile } from '../../lib/hash/hash-file.ts'
import { uploadIdOf } from '../../lib/resumable.ts'
import { type Sample, sampled, speedOf } from '../../lib/transfer-speed.ts'
import { openCredentials } from './credentials.ts'
import { firstLines } from './first-lines.ts'
import { canHash } from './hash-rules.ts'
import { newItem, type Refusal, restored, sortOut, type UploadItem } from './items.ts'
import { keptFiles } from './kept-files.ts'
import { openUploader } from './uploader.ts'

/** How the files are to be taken: the crowd's type, and whether raw values are hashed here. */
export interface Taking {
  type: IdentifierType
  hashes: boolean
}

const TOLD_EVERY_MS = 150
const uriOf = (item: UploadItem): string | null =>
  item.uri ?? (item.resume && ('url' in item.resume ? uploadIdOf(item.resume.url) : item.resume.uri))

/** The files of one form: each is looked at, hashed where that is on, sent, and told about until it is there. */
export function openUploadList(kept: readonly UploadItem[], onChange: (items: readonly UploadItem[]) => void) {
  let items: readonly UploadItem[] = kept.map(restored)
  /** As chosen; after a reload there are none. */
  const chosen = new Map<string, File>()
  /** As sent, of those that are still on their way. */
  const ready = new Map<string, Blob>()
  const samples = new Map<string, Sample[]>()
  const hashing = new Map<string, AbortController>()
  /** What was begun last for an item: whatever was begun before and still waits for something ends there. */
  const turns = new Map<string, symbol>()
  /** Dropped to be sent otherwise, and not taken anew yet. */
  const dropped = new Set<string>()
  let retakes = 0
  let told: ReturnType<typeof setTimeout> | null = null

  const prefix = kept.flatMap(({ resume }) => (resume && 'key' in resume ? [resume.key.replace(/[^/]+$/, '')] : []))[0]
  const credentials = openCredentials(prefix ?? null)
  const uploader = openUploader(credentials, {
    onProgress(id, sent) {
      const seen = sampled(samples.get(id) ?? [], { at: performance.now(), sent })
      samples.set(id, seen)
      change(id, (item) =>
        item.phase === 'uploading' || item.phase === 'reconnecting'
          ? { ...item, phase: 'uploading', sent, speed: speedOf(seen) }
          : item,
      )
    },
    onReconnecting: (id) => patch(id, { phase: 'reconnecting', speed: null }),
    onResume: (id, resume) => patch(id, { resume }),
    onDone(id, uri) {
      change(id, (item) => ({ ...item, phase: 'done', uri, sent: item.total, speed: null, resume: null, error: null }))
      ready.delete(id)
      void keptFiles.remove(id)
    },
    onFailed: (id, error, isFinal) =>
      patch(id, { phase: 'failed', speed: null, error, ...(isFinal ? { resume: null, sent: 0 } : {}) }),
  })

  /** Progress comes many times a second; what is shown of it does not. */
  function tell() {
    told ??= setTimeout(() => {
      told = null
      onChange(items)
    }, TOLD_EVERY_MS)
  }
  function change(id: string, to: (item: UploadItem) => UploadItem) {
    const before = items
    items = items.map((item) => (item.id === id ? to(item) : item))
    const [was, is] = [before, items].map((all) => all.find((item) => item.id === id)?.phase)
    if (was === is) return tell()
    onChange(items)
  }
  const patch = (id: string, part: Partial<UploadItem>) => change(id, (item) => ({ ...item, ...part }))
  const find = (id: string) => items.find((item) => item.id === id)

  function begin(id: string): () => boolean {
    const turn = Symbol(id)
    turns.set(id, turn)
    return () => turns.get(id) === turn
  }

  async function look(id: string, file: File, { type, hashes }: Taking) {
    const fault = lookFault(type, await firstLines(file), hashes && canHash(type, file.name))
    patch(id, { look: fault?.label ?? null })
  }

  /** From the file as chosen to its way to the server. */
  async function take(id: string, file: File, taking: Taking) {
    const isMine = begin(id)
    dropped.delete(id)
    const hashes = taking.hashes && canHash(taking.type, file.name)
    patch(id, { phase: 'reading', error: null, made: hashes ? taking.type : null, report: null })
    await look(id, file, taking)
    if (!isMine()) return
    let blob: Blob = file
    if (hashes) {
      const ending = new AbortController()
      hashing.set(id, ending)
      patch(id, { phase: 'hashing', hashing: 0 })
      try {
        const made = await hashFile(file, taking.type, {
          signal: ending.signal,
          progress: (share) => patch(id, { hashing: share }),
        })
        blob = made.blob
        const { from, lines, already, malformed } = made.report
        patch(id, { report: { from, lines, already, malformed } })
      } catch (error) {
        if (!ending.signal.aborted) patch(id, { phase: 'failed', error: `加密失败：${(error as Error).message}` })
        return
      } finally {
        if (hashing.get(id) === ending) hashing.delete(id)
      }
      if (ending.signal.aborted || !isMine()) return
      // Hashed values may be longer than raw ones.
      const fault = fileFault({ name: file.name, size: blob.size }, [])
      if (fault) return patch(id, { phase: 'failed', error: `加密后${fault}，请拆分文件` })
    }
    await send(id, blob, isMine)
  }

  async function send(id: string, blob: Blob, isMine = begin(id)) {
    const item = find(id)
    if (!item) return
    ready.set(id, blob)
    samples.delete(id)
    patch(id, { phase: 'uploading', total: blob.size, error: null })
    await keptFiles.put(id, blob)
    if (!find(id)) return void keptFiles.remove(id)
    if (!isMine()) return
    try {
      await uploader.add({ id, name: item.name, blob, resume: item.resume, made: item.made ?? 'raw', isWanted: isMine })
    } catch (error) {
      if (isMine()) patch(id, { phase: 'failed', error: (error as Error).message })
    }
  }

  async function goOn(item: UploadItem) {
    const isMine = begin(item.id)
    const blob = await keptFiles.get(item.id)
    if (!isMine()) return
    if (!blob) return patch(item.id, { phase: 'lost', error: '请重新选择该文件，从中断处继续上传' })
    if (item.phase === 'paused') ready.set(item.id, blob)
    else await send(item.id, blob, isMine)
  }

  async function drop(item: UploadItem) {
    begin(item.id)
    hashing.get(item.id)?.abort()
    for (const known of [hashing, ready, samples, chosen]) known.delete(item.id)
    await Promise.all([keptFiles.remove(item.id), uploader.remove(item.id, uriOf(item))])
  }

  return {
    items: () => items,

    /** Goes on with what was on its way when the page was left by a reload. */
    restore() {
      void keptFiles.sweep()
      for (const item of items) if (item.phase !== 'done') void goOn(item)
    },

    add(files: readonly File[], taking: Taking): Refusal[] {
      const { fine, refused } = sortOut(files, items)
      const added = fine.map((file) => {
        const item = newItem(crypto.randomUUID(), file)
        chosen.set(item.id, file)
        return { item, file }
      })
      items = [...items, ...added.map(({ item }) => item)]
      onChange(items)
      for (const { item, file } of added) void take(item.id, file, taking)
      return refused
    },

    /** The file of an item that the browser lost; says what is wrong with another one. */
    bring(id: string, file: File, taking: Taking): string | null {
      const item = find(id)
      if (!item) return null
      if (file.name !== item.name || file.size !== item.size) return `请选择原来的文件「${item.name}」`
      chosen.set(id, file)
      void take(id, file, taking)
      return null
    },

    pause(id: string) {
      if (uploader.pause(id)) patch(id, { phase: 'paused', speed: null })
    },

    /** Goes on with what is paused or failed. */
    resume(id: string, taking: Taking) {
      const item = find(id)
      const [blob, file] = [ready.get(id), chosen.get(id)]
      if (!item) return
      samples.delete(id)
      if (blob && uploader.resume(id)) return patch(id, { phase: 'uploading', error: null })
      if (blob) void send(id, blob)
      else if (file) void take(id, file, taking)
      else patch(id, { phase: 'lost', error: '请重新选择该文件，从中断处继续上传' })
    },

    remove(id: string) {
      const item = find(id)
      items = items.filter((one) => one.id !== id)
      onChange(items)
      if (item) void drop(item)
    },

    /** The type or the hashing changed: what was sent otherwise than it should now be is sent anew. */
    async retake(taking: Taking) {
      const mine = ++retakes
      for (const { id } of items) {
        // It changed once more meanwhile: that goes through all of them.
        if (mine !== retakes) return
        const item = find(id)
        if (!item) continue
        const file = chosen.get(id)
        const made = taking.hashes && canHash(taking.type, item.name) ? taking.type : null
        if (made === item.made && !dropped.has(id)) {
          if (file) await look(id, file, taking)
          continue
        }
        const dropping = drop(item)
        const fresh = newItem(id, item)
        if (file) {
          chosen.set(id, file)
          dropped.add(id)
          change(id, () => fresh)
        } else {
          change(id, () => ({ ...fresh, phase: 'lost', error: '数据类型已更改，请重新选择该文件' }))
        }
        await dropping
        if (file && mine === retakes && find(id)) void take(id, file, taking)
      }
    },

    /** Gives all of it up. */
    discard() {
      const all = items
      items = []
      for (const item of all) void drop(item)
    },

    close() {
      if (told) clearTimeout(told)
      for (const ending of hashing.values()) ending.abort()
      uploader.close()
      credentials.close()
    },
  }
}
export type UploadList = ReturnType<typeof openUploadList>
