import type { ForgetStore } from '#contract/forgetting.ts'
import { quote } from '../../clickhouse/bind.ts'
import { type Handles, sumOf } from '../../clickhouse/handles.ts'

/** Whose rows: the numbers of the person's ids, and the ids. */
export interface OfPerson {
  adv_id: number
  uids: readonly number[]
  one_ids: readonly string[]
}

type Place = { store: ForgetStore; table: string; where: string }

/** Where rows of people are, in the order in which they go: those last from which others are found. */
export function placesOf({ adv_id, uids, one_ids }: OfPerson): Place[] {
  const mine = `adv_id = ${Number(adv_id)} AND uid IN (${[0, ...uids].map(Number).join(', ')})${uids.length === 0 ? ' AND 0' : ''}`
  const named =
    one_ids.length === 0 ? '0' : `adv_id = ${Number(adv_id)} AND one_id IN (${one_ids.map(quote).join(', ')})`
  const names = one_ids.map(quote).join(', ')
  const linked =
    one_ids.length === 0 ? '0' : `adv_id = ${Number(adv_id)} AND (to_id IN (${names}) OR from_id IN (${names}))`
  return [
    { store: 'events', table: 'event_repeat', where: named },
    { store: 'events', table: 'event_day', where: mine },
    { store: 'events', table: 'event', where: mine },
    { store: 'identifiers', table: 'identifier_repeat', where: mine },
    { store: 'identifiers', table: 'identifier', where: mine },
    {
      store: 'people',
      table: 'person_row_repeat',
      where: `adv_id = ${Number(adv_id)} AND row_id IN (SELECT row_id FROM person_row WHERE ${mine})`,
    },
    { store: 'people', table: 'person_row', where: mine },
    { store: 'people', table: 'person_link', where: linked },
    { store: 'people', table: 'person_key', where: mine },
  ]
}

export async function countRows({ everyShard }: Pick<Handles, 'everyShard'>, { table, where }: Omit<Place, 'store'>) {
  return sumOf(await everyShard.query<{ n: number }>(`SELECT count() AS n FROM ${table} WHERE ${where}`), 'n')
}

/**
 * Deletes rows for good: their parts are written anew without them. `DELETE FROM` would only mark them as gone until the
 * engine merges their parts.
 */
export async function eraseRows(load: Handles, place: Omit<Place, 'store'>): Promise<number> {
  const found = await countRows(load, place)
  if (found > 0) {
    await load.everyShard.command(`ALTER TABLE ${place.table} DELETE WHERE ${place.where} SETTINGS mutations_sync = 2`)
  }
  return found
}
