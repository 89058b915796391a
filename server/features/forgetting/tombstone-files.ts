import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Tombstone } from '../../identifiers/tombstones.ts'
import { nullIfMissing } from '../../storage/missing-file.ts'

const Line = z.object({
  adv_id: z.int(),
  token: z.string(),
  what: z.string(),
  owner: z.string(),
  key: z.string(),
  at: z.int(),
})

/**
 * Tombstones in files: one in DATA_DIR, and one elsewhere if the settings name it. The embedded stores lie in DATA_DIR too,
 * so one that was put back as a whole knows of nobody who was forgotten since; the other file does.
 */
export function tombstoneFiles({ dataDir, forgottenFile }: { dataDir: string; forgottenFile: string | undefined }) {
  const paths = [join(dataDir, 'forgotten.ndjson'), ...(forgottenFile === undefined ? [] : [forgottenFile])]

  async function linesOf(path: string): Promise<Tombstone[]> {
    const text = (await readFile(path, 'utf8').catch(nullIfMissing)) ?? ''
    return text.split('\n').flatMap((line) => {
      // The last line may have been cut by a kill; the others have it whole.
      try {
        return line === '' ? [] : [Line.parse(JSON.parse(line)) as Tombstone]
      } catch {
        return []
      }
    })
  }
  const append = (path: string, tombstones: readonly Tombstone[]) =>
    // A line that a kill cut must not swallow the next one.
    appendFile(path, `\n${tombstones.map((one) => JSON.stringify(one)).join('\n')}\n`, { mode: 0o600, flush: true })

  return {
    read: async (): Promise<Tombstone[]> => (await Promise.all(paths.map(linesOf))).flat(),
    /** Adds to each file those that it lacks, on the disk once this returns. */
    async add(tombstones: readonly Tombstone[]): Promise<void> {
      for (const path of paths) {
        const had = new Set((await linesOf(path)).map(nameOf))
        const missing = tombstones.filter((one) => !had.has(nameOf(one)))
        if (missing.length > 0) await append(path, missing)
      }
    },
  }
}
export type TombstoneFiles = ReturnType<typeof tombstoneFiles>

/** What a tombstone is known by. */
export const nameOf = ({ adv_id, token }: Pick<Tombstone, 'adv_id' | 'token'>): string => `${adv_id} ${token}`
