import { quoteName } from '../../clickhouse/bind.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import { removeRows } from '../../clickhouse/remove-rows.ts'
import { storeDaysSql } from '../storing/events.ts'
import { heirsSql, isMine, isOthers, partOf, partsOf, tableOf, type UndoneImport } from './rows.ts'

interface HandOver {
  load: Handles
  of: UndoneImport
  /** The imports that take over rows. */
  heirs: readonly number[]
  timezone: string
  /** The greatest number that a person of the advertiser ever had. */
  lastUid: number
  signal?: AbortSignal | undefined
}

/**
 * Stores the rows of the import that later ones left out as duplicates once more, as rows of those. May be repeated: rows
 * that an interrupted run stored are not stored again.
 */
export async function handOver(given: HandOver): Promise<void> {
  const { of, heirs } = given
  if (heirs.length === 0) return
  if (of.kind === 'users') {
    await handOverUsers(given)
    await handOverIdentifiers(given)
  } else {
    await handOverEvents(given)
    await sumDaysAgain(given, heirs)
  }
}

async function partsOfMine({ load, of }: HandOver, table: string): Promise<number> {
  const [row] = await load.acrossShards.query<{ n: number }>(`SELECT count() AS n FROM ${table} WHERE ${isMine(of)}`)
  return partsOf(row?.n ?? 0)
}

/** The rows that an interrupted run stored already: ids are unique among the rows of the other imports. */
const stored = (of: UndoneImport, part: string) =>
  `SELECT row_id FROM ${tableOf(of)} WHERE ${isOthers(of)} AND ${part}
   AND row_id IN (SELECT row_id FROM ${tableOf(of)} WHERE ${isMine(of)} AND ${part})`

async function handOverUsers(given: HandOver): Promise<void> {
  const { load, of, signal } = given
  const columns = await load.acrossShards.query<{ name: string }>(
    `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = 'person_row'
     AND name NOT IN ('ts', 'line', 'import_id') ORDER BY position`,
  )
  const names = columns.map(({ name }) => quoteName(name))
  const own = names.map((name) => `p.${name}`)
  const parts = await partsOfMine(given, 'person_row')
  for (let part = 0; part < parts; part++) {
    const within = partOf(part, parts)
    await load.acrossShards.command(
      `INSERT INTO person_row (${names.join(', ')}, ts, line, import_id)
       SELECT ${own.join(', ')}, h.at, h.line, h.import_id
       FROM (SELECT * FROM person_row WHERE ${isMine(of)} AND ${within} AND row_id NOT IN (${stored(of, within)})) AS p
       INNER JOIN (${heirsSql(of, within)}) AS h USING (row_id)`,
      {},
      { signal },
    )
  }
}

/** Identifiers of repeated rows; those that other imports stored anyway are not stored twice. */
async function handOverIdentifiers(given: HandOver): Promise<void> {
  const { load, of, signal } = given
  const parts = await partsOfMine(given, 'identifier')
  for (let part = 0; part < parts; part++) {
    const within = partOf(part, parts, 'uid')
    const identifiers = (from: string, where: string) =>
      `SELECT id_type, value_hash, uid FROM ${from} WHERE ${where} AND ${within}`
    const mine = identifiers('identifier', isMine(of))
    const others = `${identifiers('identifier', isOthers(of))} AND (id_type, value_hash, uid) IN (${mine})`
    await load.acrossShards.command(
      `INSERT INTO identifier (adv_id, id_type, value_hash, uid, import_id)
       SELECT adv_id, id_type, value_hash, uid, min(import_id) FROM identifier_repeat
       WHERE ${isOthers(of)} AND ${within} AND (id_type, value_hash, uid) IN (${mine})
         AND (id_type, value_hash, uid) NOT IN (${others})
       GROUP BY adv_id, id_type, value_hash, uid`,
      {},
      { signal },
    )
  }
}

async function handOverEvents(given: HandOver): Promise<void> {
  const { load, of, signal } = given
  const parts = await partsOfMine(given, 'event')
  for (let part = 0; part < parts; part++) {
    const heirs = heirsSql(of, partOf(part, parts))
    await numberPeople(given, heirs)
    await load.acrossShards.command(
      `INSERT INTO event (adv_id, bucket, uid, ts, name, title, properties, campaign_id, row_id, import_id)
       SELECT h.adv_id, bitShiftRight(k.uid, 20), k.uid, h.ts, h.name, h.title, h.properties, h.properties['campaign_id'], h.row_id, h.import_id
       FROM (SELECT * FROM (${heirs}) WHERE row_id NOT IN (${stored(of, partOf(part, parts))})) AS h
       INNER JOIN (SELECT one_id, uid FROM person_key
         WHERE adv_id = ${of.adv_id} AND one_id IN (SELECT one_id FROM (${heirs}))) AS k USING (one_id)`,
      {},
      { signal, settings: { max_partitions_per_insert_block: 0 } },
    )
  }
}

/** The same message id may come with another person, who was never stored. */
async function numberPeople({ load, of, lastUid, signal }: HandOver, heirs: string): Promise<void> {
  const [last] = await load.acrossShards.query<{ uid: number }>(
    `SELECT max(uid) AS uid FROM person_key WHERE adv_id = ${of.adv_id}`,
  )
  const next = Math.max(last?.uid ?? 0, lastUid) + 1
  await load.acrossShards.command(
    `INSERT INTO person_key (adv_id, one_id, uid, import_id)
     SELECT ${of.adv_id}, one_id, toUInt32(${next} + rowNumberInAllBlocks()), import_id
     FROM (SELECT one_id, min(import_id) AS import_id FROM (${heirs})
           WHERE one_id NOT IN (SELECT one_id FROM person_key WHERE adv_id = ${of.adv_id}) GROUP BY one_id)`,
    {},
    { signal },
  )
}

/** Rewrites the sums by day of these imports, which now have more rows. */
async function sumDaysAgain({ load, of, timezone, signal }: HandOver, imports: readonly number[]): Promise<void> {
  const where = `adv_id = ${of.adv_id} AND import_id IN (${imports.join(', ')})`
  await removeRows(load.everyShard, 'event_day', where)
  await load.acrossShards.command(
    storeDaysSql('event_day', `(SELECT * FROM event WHERE ${where})`, timezone),
    {},
    { signal },
  )
}
