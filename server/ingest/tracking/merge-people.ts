import { quoteName } from '../../clickhouse/bind.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import { slotColumn } from '../../clickhouse/person-sql.ts'
import { removeRows } from '../../clickhouse/remove-rows.ts'
import type { NewData } from '../load-types.ts'
import { stageOf } from '../stage.ts'
import { storeDaysSql } from '../storing/events.ts'
import { linksSql, resolvedSql } from './taken.ts'

interface Import {
  import_id: number
  adv_id: number
}

const moveTable = (import_id: number) => stageOf(import_id, 'move')
/** The attributes of people who go, kept as long as the note of who does. */
const goneSlotsTable = (import_id: number) => stageOf(import_id, 'gone_slots')

/**
 * Notes which people have become others: those among the new people of the import's stage and among `touched` (a select of
 * ids) who have a link. Called before the stages are joined; the note lasts until they are dropped, so that a merge that
 * was killed can go on.
 */
export async function noteMoves(
  load: Handles,
  { import_id, adv_id }: Import,
  touched: string | null = null,
): Promise<void> {
  const any = await load.acrossShards.query(`SELECT 1 FROM person_link WHERE adv_id = ${adv_id} LIMIT 1`)
  if (any.length === 0) return
  const move = moveTable(import_id)
  await load.oneNode.command(`DROP TABLE IF EXISTS ${move} SYNC`)
  await load.oneNode.command(
    `CREATE TABLE ${move} (from_id String) ENGINE = MergeTree ORDER BY from_id
     SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
  )
  const people = [
    `SELECT one_id FROM ${stageOf(import_id, 'person_key')}`,
    ...(touched === null ? [] : [`SELECT one_id FROM person_key WHERE adv_id = ${adv_id} AND one_id IN (${touched})`]),
  ]
  await load.acrossShards.command(
    `INSERT INTO ${move} SELECT DISTINCT from_id FROM (${linksSql(adv_id, people.join(' UNION ALL '))})`,
  )
}

interface Merge extends Import {
  timezone: string
  attributes: readonly { name: string; slot: number }[]
  /** Stores the greatest number of a person, before one of them goes. */
  keepLastUid(last: number): Promise<number>
  signal?: AbortSignal | undefined
}

/**
 * Gives what people have who became others to those others, and removes them. May be repeated: each step finds out what
 * is still to be done. Returns the data whose tags have changed; null if nobody became another.
 */
export async function mergePeople(load: Handles, merge: Merge): Promise<NewData | null> {
  const { import_id, adv_id, timezone, signal } = merge
  const move = moveTable(import_id)
  const { acrossShards, oneNode, everyShard } = load
  const ask = <T>(sql: string) => acrossShards.query<T>(sql, {}, { signal })
  const run = (sql: string, settings = {}) => acrossShards.command(sql, {}, { signal, settings })
  const count = async (from: string) => (await ask<{ n: number }>(`SELECT count() AS n FROM ${from}`))[0]?.n ?? 0

  const tables = await oneNode.query(
    `SELECT 1 FROM system.tables WHERE database = currentDatabase() AND name = {move:String}`,
    { move },
  )
  if (tables.length === 0) return null
  const own = `adv_id = ${adv_id}`
  const movedIds = `SELECT from_id FROM ${move}`
  const links = linksSql(adv_id, movedIds)
  const key = `SELECT uid, one_id FROM person_key WHERE ${own}`
  /** Those who go, with the id that they had. */
  const gone = `SELECT uid, one_id AS id FROM (${key} AND one_id IN (${movedIds}))`
  const takers = `SELECT uid, one_id FROM (${key} AND one_id IN (SELECT to_id FROM (${links})))`
  const goneUids = `SELECT uid FROM (${gone})`
  /**
   * Everybody can read the key of a page, so what it says that a device is does not write about a user who was known: the
   * values and identifiers of the device go with it.
   */
  const barred = `SELECT from_id FROM (SELECT from_id, argMin(by_page, since) AS is_barred, argMin(to_id, since) AS taker
      FROM (${links}) GROUP BY from_id)
    WHERE is_barred = 1 AND taker IN (SELECT one_id FROM person_key WHERE ${own} AND import_id != ${import_id})`
  const givingUids = `SELECT uid FROM (${gone}) WHERE id NOT IN (${barred})`
  const takerUids = `SELECT uid FROM (${takers})`
  if ((await count(`(${links})`)) === 0) return null

  if ((await count(`(${gone})`)) > 0) {
    await keepSlots()
    await makeTakers()
    // Of an event the time decides to whom it goes, where several took over a device.
    await moveRows('event', goneUids, 'toUnixTimestamp64Milli(e.ts)')
    await sumDays()
    await moveRows('person_row', givingUids, 'toInt64(0)')
    await moveIdentifiers('identifier')
    await moveIdentifiers('identifier_repeat')
    await renameRepeats()
    await removeRows(everyShard, 'person_key', `${own} AND uid IN (${goneUids})`)
  }
  return changed()

  /** Which of the attributes some people have. */
  async function slotsOf(uids: string): Promise<number[]> {
    const { attributes } = merge
    if (attributes.length === 0) return []
    const has = attributes.map(({ slot }) => `countIf(${slotColumn(slot)} != '') > 0`)
    const [row] = await ask<{ has: number[] }>(
      `SELECT [${has.join(', ')}] AS has FROM person_row WHERE ${own} AND uid IN (${uids})`,
    )
    return attributes.flatMap(({ slot }, at) => (row?.has[at] ? [slot] : []))
  }

  /** Keeps which attributes those have who go, before their rows go: values that nobody takes over change tags too. */
  async function keepSlots(): Promise<void> {
    const table = goneSlotsTable(import_id)
    await oneNode.command(
      `CREATE TABLE IF NOT EXISTS ${table} (slot UInt32) ENGINE = MergeTree ORDER BY slot
       SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
    )
    const slots = await slotsOf(goneUids)
    if (slots.length > 0) await run(`INSERT INTO ${table} SELECT arrayJoin([${slots.join(', ')}])`)
  }

  async function keptSlots(): Promise<number[]> {
    const table = goneSlotsTable(import_id)
    const found = await oneNode.query(
      `SELECT 1 FROM system.tables WHERE database = currentDatabase() AND name = {table:String}`,
      { table },
    )
    if (found.length === 0) return []
    return (await ask<{ slot: number }>(`SELECT DISTINCT slot FROM ${table}`)).map(({ slot }) => slot)
  }

  /** Numbers those who do not exist yet, after noting the greatest number, which one of those who go may have. */
  async function makeTakers(): Promise<void> {
    const [row] = await ask<{ last: number }>(`SELECT max(uid) AS last FROM person_key WHERE ${own}`)
    const last = await merge.keepLastUid(row?.last ?? 0)
    await run(
      `INSERT INTO person_key (adv_id, one_id, uid, import_id)
       SELECT ${adv_id}, to_id, toUInt32(${Math.max(last, row?.last ?? 0) + 1} + rowNumberInAllBlocks()), ${import_id}
       FROM (SELECT DISTINCT to_id FROM (${links}) WHERE to_id NOT IN (SELECT one_id FROM (${key})))`,
    )
  }

  /** Rows with an id of their own: what an earlier run gave to others already is taken back first. */
  async function moveRows(table: 'event' | 'person_row', from: string, ts: string): Promise<void> {
    if ((await count(`${table} WHERE ${own} AND uid IN (${goneUids})`)) === 0) return
    const again = stageOf(import_id, 'again')
    await oneNode.command(`DROP TABLE IF EXISTS ${again} SYNC`)
    await oneNode.command(`CREATE TABLE ${again} (row_id UInt128) ENGINE = MergeTree ORDER BY row_id`)
    await run(
      `INSERT INTO ${again} SELECT row_id FROM ${table} WHERE ${own} AND uid IN (${takerUids})
       AND row_id IN (SELECT row_id FROM ${table} WHERE ${own} AND uid IN (${from}))`,
    )
    if ((await count(again)) > 0) {
      await removeRows(
        everyShard,
        table,
        `${own} AND uid IN (${takerUids}) AND row_id IN (SELECT row_id FROM ${again})`,
      )
    }
    const columns = (
      await ask<{ name: string }>(
        `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = '${table}'
         AND name NOT IN ('uid', 'bucket') ORDER BY position`,
      )
    ).map(({ name }) => quoteName(name))
    const rows = `SELECT e.row_id AS row_id, g.id AS id, ${ts} AS ts FROM (SELECT uid, row_id, ts FROM ${table} WHERE ${own} AND uid IN (${from})) AS e
      INNER JOIN (${gone}) AS g USING (uid)`
    await run(
      `INSERT INTO ${table} (uid, bucket, ${columns.join(', ')})
       SELECT t.uid, bitShiftRight(t.uid, 20), ${columns.map((name) => `e.${name}`).join(', ')}
       FROM (SELECT * FROM ${table} WHERE ${own} AND uid IN (${from})) AS e
       INNER JOIN (
         SELECT r.row_id AS row_id, k.uid AS uid FROM (${resolvedSql(adv_id, rows, movedIds)}) AS r
         INNER JOIN (${takers}) AS k USING (one_id)
       ) AS t USING (row_id)`,
      { max_partitions_per_insert_block: 0 },
    )
    await removeRows(everyShard, table, `${own} AND uid IN (${goneUids})`)
  }

  /** Sums the days of those who took over events again, unless an earlier run did. */
  async function sumDays(): Promise<void> {
    const both = `${own} AND (uid IN (${goneUids}) OR uid IN (${takerUids}))`
    const [sums] = await ask<{ days: number; events: number; old: number }>(
      `SELECT (SELECT sum(n) FROM event_day WHERE ${own} AND uid IN (${takerUids})) AS days,
         (SELECT count() FROM event WHERE ${own} AND uid IN (${takerUids})) AS events,
         (SELECT count() FROM event_day WHERE ${own} AND uid IN (${goneUids})) AS old`,
    )
    if (sums && sums.days === sums.events && sums.old === 0) return
    await removeRows(everyShard, 'event_day', both)
    await run(storeDaysSql('event_day', `(SELECT * FROM event WHERE ${own} AND uid IN (${takerUids}))`, timezone))
  }

  async function moveIdentifiers(table: 'identifier' | 'identifier_repeat'): Promise<void> {
    if ((await count(`${table} WHERE ${own} AND uid IN (${goneUids})`)) === 0) return
    const columns = `id_type, value_hash, import_id`
    const rows = `SELECT g.id AS id, toInt64(0) AS ts, i.id_type AS id_type, i.value_hash AS value_hash, i.import_id AS import_id
      FROM (SELECT uid, ${columns} FROM ${table} WHERE ${own} AND uid IN (${givingUids})) AS i INNER JOIN (${gone}) AS g USING (uid)`
    await run(
      `INSERT INTO ${table} (adv_id, ${columns}, uid)
       SELECT ${adv_id}, ${columns}, k.uid FROM (
         SELECT DISTINCT r.id_type AS id_type, r.value_hash AS value_hash, r.import_id AS import_id, k.uid AS uid
         FROM (${resolvedSql(adv_id, rows, movedIds)}) AS r INNER JOIN (${takers}) AS k USING (one_id)
       ) AS k
       WHERE (id_type, value_hash, import_id, k.uid) NOT IN (
         SELECT id_type, value_hash, import_id, uid FROM ${table} WHERE ${own} AND uid IN (${takerUids}))`,
    )
    await removeRows(everyShard, table, `${own} AND uid IN (${goneUids})`)
  }

  /** Repeated events name their person, who comes back where the repeated import is undone. */
  async function renameRepeats(): Promise<void> {
    const mine = `${own} AND one_id IN (${movedIds})`
    if ((await count(`event_repeat WHERE ${mine}`)) === 0) return
    const names = ['ts', 'name', 'title', 'properties', 'row_id', 'at', 'import_id']
    const again = `row_id, import_id`
    const rows = `SELECT one_id AS id, toUnixTimestamp64Milli(ts) AS ts, ${again} FROM event_repeat WHERE ${mine}`
    await run(
      `INSERT INTO event_repeat (adv_id, one_id, ${names.join(', ')})
       SELECT ${adv_id}, r.one_id, ${names.map((name) => `e.${name}`).join(', ')}
       FROM (SELECT * FROM event_repeat WHERE ${mine}) AS e
       INNER ANY JOIN (${resolvedSql(adv_id, rows, movedIds)}) AS r USING (row_id, import_id)
       WHERE (e.row_id, e.import_id, r.one_id) NOT IN (SELECT row_id, import_id, one_id FROM event_repeat WHERE ${own})`,
    )
    await removeRows(everyShard, 'event_repeat', mine)
  }

  /** Everything that those have who took over something, and the attributes of those who went: more than what changed, but the same in each run. */
  async function changed(): Promise<NewData> {
    const events = await ask<{ name: string; days: string[] }>(
      `SELECT name, arrayMap(day -> toString(day), groupUniqArray(day)) AS days FROM event_day
       WHERE ${own} AND uid IN (${takerUids}) GROUP BY name ORDER BY name`,
    )
    const slots = new Set([...(await slotsOf(takerUids)), ...(await keptSlots())])
    return {
      attributes: merge.attributes.filter(({ slot }) => slots.has(slot)).map(({ name }) => ({ name })),
      events: events.map(({ name }) => ({ name })),
      days: [...new Set(events.flatMap(({ days }) => days))].sort(),
    }
  }
}
