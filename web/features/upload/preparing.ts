import { guessChoice, isUsable } from '#contract/guess-column.ts'
import { type IdentifierType, looksLikeItsHash, rawLine } from '#contract/identifier.ts'
import { cellOf, type TextChoice } from '#contract/identifier-column.ts'
import { typeMismatch } from '#contract/identifier-mismatch.ts'
import { outcome, sentenceOf, sentenceOrNull } from '#contract/outcome.ts'
import { fileFault } from '#contract/upload.ts'
import { hashFile } from '../../lib/hash/hash-file.ts'
import { rememberKeptLines } from '../../lib/hash/kept-store.ts'
import { type FileLook, isZip, lookAtFile } from './first-lines.ts'
import { isHashType } from './hash-rules.ts'
import type { FileChoice, HashReport, UploadItem } from './items.ts'

/** How files are prepared: the crowd's type, and whether raw values are hashed in the browser. */
export interface Preparation {
  type: IdentifierType
  hashes: boolean
}

/** The type that files' values are hashed to; null if files are sent unchanged. */
export const hashedTo = ({ type, hashes }: Preparation): IdentifierType | null =>
  hashes && isHashType(type) ? type : null

/** Whether no value of a file is taken as a hash already. */
export const areAllRaw = (type: IdentifierType, { chosen, isUnclear }: Pick<UploadItem, 'chosen' | 'isUnclear'>) =>
  looksLikeItsHash(type) && (chosen.values ? chosen.values === 'raw' : !isUnclear)

export interface Inspected {
  choice: TextChoice
  isUnclear: boolean
  lines: readonly string[]
  looksLike: string | null
  isMostlyBad: boolean
  /** Why the file is not sent. */
  refusal: string | null
}

/** What the first lines and a sample of the others say of a file, unless the viewer chose otherwise. */
export async function inspect(
  file: File,
  preparation: Preparation,
  { values, ...chosen }: FileChoice,
): Promise<Inspected> {
  const { type } = preparation
  const hashes = hashedTo(preparation) !== null
  const look = await lookAtFile(file, chosen.encoding)
  const { lines } = look
  const choice = { ...guessChoice(type, lines, look.encoding, hashes), ...chosen }
  // A line without its cell is malformed; an empty line says nothing.
  const cellsIn = (text: readonly string[]) =>
    text
      .slice(choice.has_header ? 1 : 0)
      .filter((line) => line.trim() !== '')
      .map((line) => cellOf(line, choice) ?? '')
  const cells = cellsIn(lines)
  const sampled = look.samples.flatMap(cellsIn)
  const fault = typeMismatch(
    type,
    cells.filter((cell) => cell.trim() !== ''),
    hashes,
  )
  const kinds = new Set(hashes && looksLikeItsHash(type) ? cells.map((cell) => rawLine(type, cell).kind) : [])
  const isUnclear = kinds.has('already') && !kinds.has('raw')
  return {
    choice,
    isUnclear,
    lines,
    looksLike: fault && (fault.kind ? `看起来像「${fault.label}」` : fault.label),
    isMostlyBad: sampled.filter((cell) => isUsable(type, cell, hashes)).length * 2 < sampled.length,
    refusal: refusalOf(file, look, hashes) ?? (isUnclear && !values ? UNCLEAR : null),
  }
}

const UNCLEAR = '无法判断这些值是原始 OAID 还是密文，请在预览中选择后继续'

function refusalOf({ name }: File, { binary, fault }: FileLook, hashes: boolean): string | null {
  if (isZip(name)) {
    if (binary) return sentenceOf(outcome('archive_broken'))
    return hashes ? 'zip 文件不能在浏览器内加密：请解压后上传，或关闭「在浏览器内加密」' : sentenceOrNull(fault)
  }
  if (binary) return sentenceOf(outcome('file_is_binary', { in_archive: null, format: binary }))
  // What is hashed here is sent as hashes, whatever else stands in its lines.
  return hashes ? null : sentenceOrNull(fault)
}

export type Prepared =
  | { kind: 'ready'; blob: Blob; report: HashReport }
  | { kind: 'refused'; error: string }
  | { kind: 'ended' }

/** Hashes files in workers; hashing of each file can be stopped. */
export function openHashing(patch: (id: string, part: Partial<UploadItem>) => void) {
  const running = new Map<string, AbortController>()
  /** One file uses all cores, so files wait for each other. */
  let turn = Promise.resolve()

  return {
    async hash(id: string, file: File, type: IdentifierType, choice: TextChoice, allRaw: boolean): Promise<Prepared> {
      const ending = new AbortController()
      running.set(id, ending)
      const before = turn
      const { promise, resolve: passOn } = Promise.withResolvers<void>()
      turn = promise
      try {
        await before
        ending.signal.throwIfAborted()
        patch(id, { phase: 'hashing', hashing: 0 })
        const progress = (share: number) => patch(id, { hashing: share })
        const { blob, report, kept } = await hashFile(file, type, choice, { signal: ending.signal, progress, allRaw })
        if (ending.signal.aborted) return { kind: 'ended' }
        const cause = fileFault({ name: file.name, size: blob.size }, [], true)
        if (cause) return { kind: 'refused', error: sentenceOf(outcome('upload_refused_once_hashed', { cause })) }
        const { from, lines, already, malformed, normalised } = report
        if (lines === 0) return { kind: 'refused', error: sentenceOf(outcome('file_empty')) }
        if (kept.lines > 0) rememberKeptLines(id, kept)
        const local_id = kept.lines > 0 ? id : null
        return { kind: 'ready', blob, report: { from, lines, already, malformed, normalised, marked: true, local_id } }
      } catch (error) {
        if (ending.signal.aborted) return { kind: 'ended' }
        return { kind: 'refused', error: `加密失败：${(error as Error).message}` }
      } finally {
        passOn()
        if (running.get(id) === ending) running.delete(id)
      }
    },

    end(id: string) {
      running.get(id)?.abort()
      running.delete(id)
    },

    endAll() {
      for (const ending of running.values()) ending.abort()
    },
  }
}
