import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UsersMapping } from '#contract/import.ts'
import { outcome } from '#contract/outcome.ts'
import { ANONYMOUS_PREFIX } from '#contract/tracking-message.ts'
import { quote } from '../../clickhouse/bind.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import { type CountedRows, rowCounter } from '../counted-rows.ts'
import type { FilePart } from '../file-parts.ts'
import type { Loader } from '../load.ts'
import type { LoadedData, LoadJob, LoadRun } from '../load-types.ts'
import { stages } from '../stage.ts'
import { storeLinks } from './links.ts'
import { namedSql, resolvedSql, type Senders, type Taken, takenSql } from './taken.ts'

/** Columns of our own; no trait may have their names. */
const ID = '$id'
const MESSAGE_ID = '$message_id'
const AT = '$at'
const OWN = [ID, MESSAGE_ID, AT]
/** A file has at most 1,000 columns. */
const TRAITS_MAX = 990
/** Everybody can read the key of a page, so it does not bring new attributes where there are so many: each makes tags. */
const PAGE_TRAITS_MAX = 200
/** Traits that are no attributes. */
const SPECIAL = ['name', 'phone'] as const

/** How the file of traits is read. The message id tells equal rows of two messages apart. */
export const TRAITS_MAPPING: UsersMapping = {
  kind: 'users',
  id: ID,
  identifiers: [],
  skip: [MESSAGE_ID, AT],
}

const FILE = /^traits-(\d+)\.ndjson$/
export const traitsFileOf = (name: string): number | null => {
  const id = FILE.exec(name)?.[1]
  return id === undefined ? null : Number(id)
}

interface TraitsJob extends Taken, Omit<LoadJob, 'mapping' | 'path' | 'file_name' | 'at' | 'adv_id'> {}

/**
 * Imports the traits of identify messages as a file of users, key after key, so that what is refused or kept in part is
 * counted for each. May be repeated after a kill.
 */
export async function loadTraits(
  { load, loader, dataDir }: { load: Handles; loader: Loader; dataDir: string },
  job: TraitsJob,
  run: LoadRun = {},
): Promise<LoadedData> {
  const { import_id, adv_id } = job
  const { acrossShards } = load
  await storeLinks(acrossShards, job, import_id, run.signal)
  const ask = <T>(sql: string) => acrossShards.query<T>(sql, {}, { signal: run.signal })
  const where = `${takenSql(job)} AND kind = 'identify'`
  const ids = `SELECT ${namedSql} FROM track_message WHERE ${where}`
  const messages = `SELECT ${namedSql} AS id, message_id, ts, properties, is_page, batch, key_id FROM track_message WHERE ${where}`
  // Sent again, a message says the same of the same person. Another sender's or another person's with its id is another
  // message: with a page's key anybody could otherwise take what a server says by using its id first.
  const people = `(SELECT * FROM (${resolvedSql(adv_id, messages, ids)}) ORDER BY batch, key_id LIMIT 1 BY message_id, key_id, one_id)`
  // Everybody can read the key of a page, so it writes nothing about people who are known by their userId.
  const isKept = `NOT (is_page = 1 AND NOT startsWith(one_id, ${quote(ANONYMOUS_PREFIX)})
    AND one_id IN (SELECT one_id FROM person_key WHERE adv_id = ${adv_id} AND one_id IN (${ids} UNION ALL SELECT to_id FROM person_link WHERE adv_id = ${adv_id} AND from_id IN (${ids}))))`
  const notes = rowCounter()
  const left = await ask<{ key_id: number; n: number }>(
    `SELECT key_id, count() AS n FROM ${people} WHERE NOT (${isKept}) AND notEmpty(properties) GROUP BY key_id`,
  )
  for (const { key_id, n } of left) notes.add(outcome('track_known_person'), n, { part: key_id })
  const found = await ask<Trait>(
    `SELECT name, max(of_server) AS by_server, groupArray((key_id, n)) AS senders
     FROM (SELECT name, key_id, count() AS n, max(is_page = 0) AS of_server
       FROM (SELECT arrayJoin(mapKeys(properties)) AS name, is_page, key_id FROM ${people} WHERE ${isKept}) GROUP BY name, key_id)
     GROUP BY name ORDER BY by_server DESC, sum(n) DESC, name`,
  )
  const { names, leftOut } = traitsKept(job.attributes, found)
  const parts = await ask<FilePart>(
    `SELECT key_id AS part, count() AS lines FROM ${people} WHERE ${isKept} GROUP BY part ORDER BY part`,
  )
  const own = `map(${quote(ID)}, one_id, ${quote(MESSAGE_ID)}, message_id, ${quote(AT)}, toString(ts))`
  const bytes = await acrossShards.bytes(
    `SELECT toJSONString(mapConcat(mapFilter((k, v) -> k IN (${names.map(quote).join(', ') || quote('')}), properties), ${own}))
     FROM ${people} WHERE ${isKept} ORDER BY key_id, ts FORMAT TSVRaw`,
  )
  if (bytes.length === 0) {
    await stages(load.everyShard, 'users', import_id).create()
    return { ...NOTHING, warnings: [...notes.counts(), ...leftOut] }
  }
  const path = join(dataDir, 'import', `traits-${import_id}.ndjson`)
  await mkdir(join(dataDir, 'import'), { recursive: true })
  try {
    await writeFile(path, bytes)
    // A mapping names only columns that the file has.
    const special = Object.fromEntries(SPECIAL.filter((name) => names.includes(name)).map((name) => [name, name]))
    const loaded = await loader.loadFile(
      {
        ...job,
        mapping: { ...TRAITS_MAPPING, ...special },
        path,
        file_name: `traits-${import_id}.ndjson`,
        at: AT,
        parts,
      },
      run,
    )
    return { ...loaded, warnings: [...notes.counts(), ...leftOut, ...loaded.warnings] }
  } finally {
    await rm(path, { force: true })
  }
}

/** A trait that was sent, and whether the key of a server sent it. */
interface Trait {
  name: string
  by_server: 0 | 1
  senders: Senders
}

/** The traits to store: known attributes and new ones in the given order, up to the bounds; and what is left out, by key. */
export function traitsKept(
  attributes: LoadJob['attributes'],
  found: readonly Trait[],
): { names: string[]; leftOut: CountedRows[] } {
  const known = new Set<string>([...SPECIAL, ...attributes.map(({ name }) => name)])
  let room = TRAITS_MAX - attributes.length
  const leftOut = rowCounter()
  const names: string[] = []
  for (const { name, senders, by_server } of found) {
    if (OWN.includes(name)) continue
    const isNew = !known.has(name)
    const full =
      isNew && by_server === 0 && TRAITS_MAX - room >= PAGE_TRAITS_MAX
        ? outcome('track_page_attributes_full', { max: PAGE_TRAITS_MAX })
        : names.length >= TRAITS_MAX || (isNew && room <= 0)
          ? outcome('track_attributes_full', { max: TRAITS_MAX })
          : null
    if (full) for (const [part, rows] of senders) leftOut.add(full, rows, { part })
    else {
      names.push(name)
      if (isNew) room--
    }
  }
  return { names, leftOut: leftOut.counts() }
}

const NOTHING: LoadedData = {
  rows: 0,
  stored: 0,
  duplicate: 0,
  refused: 0,
  new_people: 0,
  reasons: [],
  warnings: [],
  attributes: [],
  events: [],
  days: [],
  brought: { attributes: [], events: [] },
}
