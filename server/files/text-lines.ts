import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type SentChoice, takesWholeLines } from '#contract/identifier-column.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { outcome } from '#contract/outcomes/make.ts'
import { FileFault } from './file-fault.ts'
import { identifierLines, type SharedHeader } from './identifier-lines.ts'
import { lookAtFile } from './text-encoding.ts'
import { BadBytes, notUtf8, textPass } from './text-pass.ts'
import { textsOf, type UnpackBudget } from './zip.ts'

/** A text or an archive of texts. */
export interface UploadedText {
  file_id: number
  /** The path of its bytes, under a name of ours. */
  path: string
  /** The name that the viewer gave it. */
  name: string
  /** How its identifiers are found; without it each line is one identifier. An encoding that is not chosen is recognised. */
  choice?: SentChoice | null
}

/** A text of an archive that was left out, and why. */
export interface UnreadMember {
  name: string
  error: AnyOutcome
}

/** Lines of UTF-8 that end with a newline, in a local file. */
export interface ReadyText {
  path: string
  /** Lines may end with a carriage return as well. */
  hasReturns: boolean
  sections: Section[]
  /** Removes it if it is a temporary file. */
  done(): Promise<void>
}

/** The lines of one file, or of one text of an archive, within a text. */
interface Section {
  row: number
  /** The name in its archive; '' for a file that is no archive. */
  name: string
  /** Lines of the file before that row. */
  before: number
}

/** The file and line of a row, as the viewer sees them; rows count from 0. */
export function placeOf(sections: readonly Section[], row: number): { name: string; line: number } {
  const section = sections.findLast((one) => one.row <= row)
  if (!section) throw new Error(`no section holds row ${row}`)
  return { name: section.name, line: section.before + row - section.row + 1 }
}

const READ_BYTES = 1024 * 1024
const PIECE_BYTES = 64 * 1024 * 1024
const NEWLINE = 0x0a

/** The texts of an uploaded file, made one by one on demand. */
export async function* readyTexts(
  file: UploadedText,
  directory: string,
  budget: UnpackBudget,
  { signal, pieceBytes = PIECE_BYTES, unread = () => {} }: ReadyRun = {},
): AsyncGenerator<ReadyText> {
  const { size } = await stat(file.path).catch(gone)
  if (file.name.toLowerCase().endsWith('.zip'))
    yield* archivedTexts(file, { size, directory, budget, pieceBytes, unread, signal })
  else yield await plainText(file, directory, signal)
}

interface ReadyRun {
  signal?: AbortSignal | undefined
  pieceBytes?: number | undefined
  /** Called for each text of an archive that is left out; where none can be read, the archive itself is refused. */
  unread?(member: UnreadMember): void
}

/** The engine reads most files in place; one that is not UTF-8 or needs another change is rewritten. */
async function plainText(file: UploadedText, directory: string, signal?: AbortSignal): Promise<ReadyText> {
  const read = () => createReadStream(file.path, { highWaterMark: READ_BYTES })
  const sections = [{ row: 0, name: '', before: 0 }]
  const { encoding: recognised, binary } = await lookAtFile(file.path).catch(gone)
  if (binary) throw new FileFault(outcome('file_is_binary', { in_archive: null, format: binary }))
  const encoding = file.choice?.encoding ?? recognised
  const isRewritten = encoding !== 'utf-8' || (file.choice && !takesWholeLines(file.choice))
  if (!isRewritten) {
    const pass = textPass()
    try {
      for await (const chunk of read()) {
        signal?.throwIfAborted()
        pass.push(chunk as Buffer)
      }
      pass.end()
    } catch (error) {
      if (error instanceof BadBytes) throw notUtf8(null, await lineAt(file.path, error.at))
      return gone(error)
    }
    if (!pass.isChanged()) return { path: file.path, hasReturns: pass.hasReturns(), sections, done: async () => {} }
  }
  const path = join(directory, `${file.file_id}.txt`)
  const out = await open(path, 'w', 0o600)
  const making = identifierLines(encoding, file.choice ?? null, null)
  try {
    for await (const chunk of read()) {
      signal?.throwIfAborted()
      await writeAll(out, making.push(chunk as Buffer))
    }
    await writeAll(out, making.end())
  } finally {
    await out.close()
  }
  return { path, hasReturns: making.hasReturns(), sections, done: () => rm(path, { force: true }) }
}

interface ArchiveRun {
  /** Bytes of the archive. */
  size: number
  directory: string
  budget: UnpackBudget
  pieceBytes: number
  unread(member: UnreadMember): void
  signal: AbortSignal | undefined
}

/** Small texts of an archive share a piece, large ones are split over several. */
async function* archivedTexts(
  file: UploadedText,
  { size: packed, directory, budget, pieceBytes, unread, signal }: ArchiveRun,
): AsyncGenerator<ReadyText> {
  let number = 0
  let piece = await begin()
  const header: SharedHeader = { cell: null }
  let readable = 0
  let firstFault: AnyOutcome | null = null
  try {
    for await (const text of textsOf(file.path, packed, budget, file.choice?.encoding ?? null)) {
      const { name, fault } = text
      if (fault !== null) {
        firstFault ??= fault
        unread({ name, error: fault })
        continue
      }
      readable++
      const making = identifierLines(text.encoding, file.choice ?? null, name, header)
      let lines = 0
      let isOpen = false
      piece.sections.push({ row: piece.rows, name, before: 0 })
      const take = async (chunk: Buffer) => {
        if (chunk.length === 0) return
        await writeAll(piece.out, chunk)
        piece.size += chunk.length
        piece.hasReturns ||= making.hasReturns()
        const found = countLines(chunk)
        lines += found
        piece.rows += found
        isOpen = chunk[chunk.length - 1] !== NEWLINE
      }
      for await (const chunk of text.bytes) {
        signal?.throwIfAborted()
        const ready = making.push(chunk)
        const end = piece.size + ready.length < pieceBytes ? -1 : ready.lastIndexOf(NEWLINE)
        if (end === -1) {
          await take(ready)
          continue
        }
        await take(ready.subarray(0, end + 1))
        yield await ended()
        piece = await begin()
        piece.sections.push({ row: 0, name, before: lines })
        await take(ready.subarray(end + 1))
      }
      await take(making.end())
      if (isOpen) {
        await writeAll(piece.out, Buffer.of(NEWLINE))
        piece.size++
        piece.rows++
      }
    }
    if (readable === 0 && firstFault !== null) throw new FileFault(firstFault)
    yield await ended()
  } finally {
    await piece.out.close()
  }

  async function begin() {
    const path = join(directory, `${file.file_id}-${number++}.txt`)
    const out = await open(path, 'w', 0o600)
    return { path, out, size: 0, rows: 0, hasReturns: false, sections: [] as Section[] }
  }

  async function ended(): Promise<ReadyText> {
    const { path, out, hasReturns, sections } = piece
    await out.close()
    return { path, hasReturns, sections, done: () => rm(path, { force: true }) }
  }
}

/** The bytes of a file, which is opened when they are read. */
export async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  // A stream without an encoding gives buffers.
  yield* createReadStream(path, { highWaterMark: READ_BYTES })
}

/** The lines of a file, each as `number:line`, numbered from 0. */
export async function* numberedLines(path: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
  let row = 0
  let isOpen = false
  for await (const bytes of bytesOf(path)) {
    signal?.throwIfAborted()
    const parts: Buffer[] = []
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(NEWLINE, at)
      const next = end === -1 ? bytes.length : end + 1
      if (!isOpen) parts.push(Buffer.from(`${row++}:`))
      parts.push(bytes.subarray(at, next))
      isOpen = end === -1
      at = next
    }
    yield Buffer.concat(parts)
  }
}

async function writeAll(out: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await out.write(bytes, at)).bytesWritten
}

function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++
  return lines
}

/** The number of the line that a byte is on. */
async function lineAt(path: string, at: number): Promise<number> {
  if (at === 0) return 1
  let line = 1
  let wasReturn = false
  for await (const chunk of createReadStream(path, { end: at - 1 })) {
    for (const byte of chunk as Buffer) {
      if (byte === 0x0d || (byte === NEWLINE && !wasReturn)) line++
      wasReturn = byte === 0x0d
    }
  }
  return line
}

function gone(error: unknown): never {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new FileFault(outcome('file_not_on_server'))
  throw error
}
