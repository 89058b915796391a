import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline as piped, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { phoneOf } from '#contract/phone.ts'
import { REFUSED_COLUMNS } from '#contract/refused-rows.ts'
import { refusedPath } from '../../ingest/load.ts'
import { now } from '../../time/clock.ts'
import type { ForgetDeps } from './deps.ts'
import type { Named } from './gather.ts'
import { escaped } from './texts.ts'

/** Files of rows are kept for 30 days; a day more, since they are as old as the end of their job. */
const KEPT_SECONDS = 31 * 86_400
/** The first cells of a record; those of refused rows are the last ones. */
const NUMBER_AND_REASON = 2
const REFUSED_END = /,\d+[^,"]*,(?:"(?:[^"]|"")*"|[^,"]*)\r?\n?$/
/** What separates cells, also those of a line or of JSON that stands in one. */
const BETWEEN_CELLS = /[,;\t|"{}[\]\r\n]|:(?=\s*")/

/** A pattern for ids that hold what separates cells, in the ways in which a record may have them; null without such ids. */
function spreadIds(one_ids: readonly string[]): RegExp | null {
  const each = one_ids
    .filter((id) => BETWEEN_CELLS.test(id))
    .flatMap((id) => {
      const ways = [id, id.replaceAll('"', '""'), JSON.stringify(id).slice(1, -1)].map(escaped)
      // Without quotes a comma stands between two cells.
      return id.includes(',') ? ways.map((way) => `(?<=")${way}(?=")`) : ways
    })
  return each.length === 0 ? null : new RegExp(`(?<![0-9A-Za-z_])(?:${each.join('|')})(?![0-9A-Za-z_])`)
}

/** Whether a record of a csv names the person in one of its cells, in any form in which the file may have it. */
export function namesPerson({ one_ids, texts }: Named): (record: string, of?: { isOfRefused?: boolean }) => boolean {
  const ids = new Set(one_ids)
  const values = new Set(texts.map((text) => text.toLowerCase()))
  const isTheirs = (cell: string) => {
    if (cell === '') return false
    if (ids.has(cell) || values.has(cell.toLowerCase())) return true
    const phone = phoneOf(cell)
    return phone !== null && values.has(phone)
  }
  const spread = spreadIds(one_ids)
  return (record, { isOfRefused = false } = {}) =>
    spread?.test(record) ||
    (isOfRefused ? record.replace(REFUSED_END, '') : record)
      .split(BETWEEN_CELLS)
      // A line's number is no id.
      .slice(isOfRefused ? 0 : NUMBER_AND_REASON)
      .map((cell) => cell.trim())
      // A quote is put before cells that a spreadsheet would run.
      .some((cell) => isTheirs(cell) || (cell.startsWith("'") && isTheirs(cell.slice(1))))
}

/** The records of a csv, which may have line breaks within quotes. */
async function* recordsOf(bytes: Readable): AsyncGenerator<string> {
  bytes.setEncoding('utf8')
  let rest = ''
  let searched = 0
  let isQuoted = false
  for await (const chunk of bytes) {
    rest += chunk
    let from = 0
    for (let at = searched; at < rest.length; at++) {
      if (rest[at] === '"') isQuoted = !isQuoted
      if (rest[at] !== '\n' || isQuoted) continue
      yield rest.slice(from, at + 1)
      from = at + 1
    }
    rest = rest.slice(from)
    searched = rest.length
  }
  if (rest !== '') yield rest
}

/** The records of a csv, each with whether it names the person. The columns name nobody, and tell what file it is. */
async function* judged(bytes: Readable, person: Named): AsyncGenerator<{ record: string; isTheirs: boolean }> {
  const names = namesPerson(person)
  let isOfRefused: boolean | null = null
  for await (const record of recordsOf(bytes)) {
    yield { record, isTheirs: isOfRefused !== null && names(record, { isOfRefused }) }
    isOfRefused ??= record.trimEnd().endsWith(`,${REFUSED_COLUMNS.join(',')}`)
  }
}

/** Files that jobs wrote for download, without the records of a person. */
export function downloadFiles({
  db,
  dataDir,
  shared,
  malformed,
}: Pick<ForgetDeps, 'db' | 'dataDir' | 'shared' | 'malformed'>) {
  interface File {
    path: string
    name: string
    isPacked: boolean
    /** Counts the records that were taken out. */
    note(removed: number): Promise<unknown>
  }

  async function refused(adv_id: number): Promise<File[]> {
    const rows = await db
      .selectFrom('import')
      .select('id')
      .where('adv_id', '=', adv_id)
      .where('created_at', '>', now() - KEPT_SECONDS)
      .orderBy('id')
      .execute()
    return rows.map(({ id }) => ({
      path: refusedPath(dataDir, id),
      name: `refused-${id}.csv`,
      isPacked: false,
      note: async (removed) => {
        const row = await db.selectFrom('import').select('report').where('id', '=', id).executeTakeFirst()
        if (!row?.report) return
        const report = { ...row.report, removed_on_request: (row.report.removed_on_request ?? 0) + removed }
        await db
          .updateTable('import')
          .set({ report: JSON.stringify(report) })
          .where('id', '=', id)
          .execute()
      },
    }))
  }

  async function malformedLines(adv_id: number): Promise<File[]> {
    const rows = await db
      .selectFrom('crowd_file')
      .innerJoin('custom_crowd', 'custom_crowd.id', 'crowd_file.crowd_id')
      .select('crowd_file.id')
      .where('custom_crowd.adv_id', '=', adv_id)
      .where('crowd_file.created_at', '>', now() - KEPT_SECONDS)
      .where('crowd_file.malformed', '>', 0)
      .orderBy('crowd_file.id')
      .execute()
    return rows.flatMap(({ id }) =>
      malformed.malformedFiles(id).map(([path, name]) => ({
        path,
        name,
        isPacked: path.endsWith('.gz'),
        note: (removed: number) =>
          db
            .updateTable('crowd_file')
            .set((eb) => ({ removed_on_request: eb('removed_on_request', '+', removed) }))
            .where('id', '=', id)
            .execute(),
      })),
    )
  }

  async function open({ path, name, isPacked }: File): Promise<Readable | null> {
    const bytes = await shared.read(path, name)
    return bytes && isPacked ? piped(bytes, createGunzip(), () => {}) : bytes
  }

  /** Counts the records that name the person. */
  async function count(files: readonly File[], person: Named): Promise<number> {
    let found = 0
    for (const file of files) {
      const bytes = await open(file)
      if (bytes) for await (const { isTheirs } of judged(bytes, person)) if (isTheirs) found++
    }
    return found
  }

  /** Writes a file anew without the person's records; the old one stays until the new one is whole. */
  async function rewrite(file: File, person: Named): Promise<number> {
    const found = await count([file], person)
    if (found === 0) return 0
    const bytes = await open(file)
    if (!bytes) return 0
    const written = `${file.path}.part`
    async function* kept(given: Readable) {
      for await (const { record, isTheirs } of judged(given, person)) if (!isTheirs) yield record
    }
    try {
      const to = createWriteStream(written, { mode: 0o600, flush: true })
      await (file.isPacked ? pipeline(bytes, kept, createGzip(), to) : pipeline(bytes, kept, to))
      // The copy first: with the file itself replaced, another run finds nothing and would leave the copy.
      await shared.share(written, file.name)
      await rename(written, file.path)
      await file.note(found)
    } finally {
      await rm(written, { force: true })
    }
    return found
  }

  return {
    count: async (adv_id: number, person: Named) => ({
      refused: await count(await refused(adv_id), person),
      malformed: await count(await malformedLines(adv_id), person),
    }),
    async erase(adv_id: number, person: Named) {
      const erased = { refused: 0, malformed: 0 }
      for (const file of await refused(adv_id)) erased.refused += await rewrite(file, person)
      for (const file of await malformedLines(adv_id)) erased.malformed += await rewrite(file, person)
      return erased
    },
  }
}
