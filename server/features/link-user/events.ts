import type { Kysely } from 'kysely'
import type { LinkEvent } from '#contract/link-user.ts'
import { type CategoryIcon, EVENT_TAG } from '#contract/tag.ts'
import type { Database, PropertySettings } from '../../postgres/schema.ts'

/** The advertiser's events, by the names that people gave them. */
export interface KnownEvents {
  list: LinkEvent[]
  /** The events of these ids; ids that the advertiser does not have match nothing. */
  namesOf(ids: readonly number[]): string[]
  /** All events but these, by their stored names. */
  namesBut(ids: readonly number[]): string[]
  /** Its display name; the stored name of an event that is not known yet. */
  nameOf(name: string): string
  settingsOf(name: string): Record<string, PropertySettings>
}

export async function knownEvents(db: Kysely<Database>, adv_id: number): Promise<KnownEvents> {
  const rows = await db
    .selectFrom('event_name')
    .select(['id', 'name', 'display_name', 'property_settings'])
    .where('adv_id', '=', adv_id)
    .orderBy('id')
    .execute()
  const byName = new Map(rows.map((row) => [row.name, row]))
  return {
    list: rows.map(({ id, display_name }) => ({ id, name: display_name })),
    namesOf(ids) {
      const wanted = new Set(ids)
      return rows.filter(({ id }) => wanted.has(id)).map(({ name }) => name)
    },
    namesBut(ids) {
      const without = new Set(ids)
      return rows.filter(({ id }) => !without.has(id)).map(({ name }) => name)
    },
    nameOf: (name) => byName.get(name)?.display_name ?? name,
    settingsOf: (name) => byName.get(name)?.property_settings ?? {},
  }
}

/** The icons of events: those of their categories of tags. */
export async function eventIcons(db: Kysely<Database>, adv_id: number): Promise<(name: string) => CategoryIcon> {
  const categories = await db
    .selectFrom('tag_category')
    .select(['source', 'icon'])
    .where('adv_id', '=', adv_id)
    .where('tag_type', '=', EVENT_TAG)
    .where('source', 'is not', null)
    .execute()
  const icons = new Map(categories.map(({ source, icon }) => [source, icon]))
  return (name) => icons.get(name) ?? 'other'
}
