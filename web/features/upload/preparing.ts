import type { IdentifierType } from '#contract/identifier.ts'
import { typeMismatch } from '#contract/identifier-mismatch.ts'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import { fileFault } from '#contract/upload.ts'
import { hashFile } from '../../lib/hash/hash-file.ts'
import { firstLines } from './first-lines.ts'
import { canHash } from './hash-rules.ts'
import type { HashReport, UploadItem } from './items.ts'

/** How files are prepared: the crowd's type, and whether raw values are hashed in the browser. */
export interface Preparation {
  type: IdentifierType
  hashes: boolean
}

/** The type that a file's values are hashed to; null if it is sent unchanged. */
export const hashedTo = ({ type, hashes }: Preparation, name: string): IdentifierType | null =>
  hashes && canHash(type, name) ? type : null

/** What the first lines look like if they do not look like the type, as a part of the sentence; otherwise null. */
export async function apparentType(file: File, preparation: Preparation): Promise<string | null> {
  const fault = typeMismatch(preparation.type, await firstLines(file), hashedTo(preparation, file.name) !== null)
  if (!fault) return null
  return fault.kind ? `看起来像「${fault.label}」` : fault.label
}

export type Prepared =
  | { kind: 'ready'; blob: Blob; report: HashReport }
  | { kind: 'refused'; error: string }
  | { kind: 'ended' }

/** Hashes files in workers; hashing of each file can be stopped. */
export function openHashing(patch: (id: string, part: Partial<UploadItem>) => void) {
  const running = new Map<string, AbortController>()

  return {
    async hash(id: string, file: File, type: IdentifierType): Promise<Prepared> {
      const ending = new AbortController()
      running.set(id, ending)
      patch(id, { phase: 'hashing', hashing: 0 })
      try {
        const progress = (share: number) => patch(id, { hashing: share })
        const { blob, report } = await hashFile(file, type, { signal: ending.signal, progress })
        if (ending.signal.aborted) return { kind: 'ended' }
        const cause = fileFault({ name: file.name, size: blob.size }, [])
        if (cause) return { kind: 'refused', error: sentenceOf(outcome('upload_refused_once_hashed', { cause })) }
        const { from, lines, already, malformed } = report
        return { kind: 'ready', blob, report: { from, lines, already, malformed } }
      } catch (error) {
        if (ending.signal.aborted) return { kind: 'ended' }
        return { kind: 'refused', error: `加密失败：${(error as Error).message}` }
      } finally {
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
