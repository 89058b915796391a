import type { Kysely } from 'kysely'
import type { FieldNames, TagDefinition } from '#contract/tag-definition.ts'
import type { Database } from '../../postgres/schema.ts'

/** How the fields and values that these definitions name are shown. */
export async function namesOfFields(
  db: Kysely<Database>,
  adv_id: number,
  definitions: readonly TagDefinition[],
): Promise<FieldNames> {
  const attributes = definitions.flatMap((one) => (one.kind === 'attribute' ? [one.attribute] : []))
  const events = definitions.flatMap((one) => (one.kind === 'event' ? [one.event] : []))
  const [attributeRows, eventRows] = await Promise.all([
    db
      .selectFrom('attribute')
      .select(['name', 'display_name', 'dictionary'])
      .where('adv_id', '=', adv_id)
      .where('name', 'in', ['', ...new Set(attributes)])
      .execute(),
    db
      .selectFrom('event_name')
      .select(['name', 'display_name', 'property_settings'])
      .where('adv_id', '=', adv_id)
      .where('name', 'in', ['', ...new Set(events)])
      .execute(),
  ])
  const byAttribute = new Map(attributeRows.map((row) => [row.name, row]))
  const labels = new Map(
    attributeRows.map(({ name, dictionary }) => [name, new Map(dictionary.map(({ value, label }) => [value, label]))]),
  )
  const byEvent = new Map(eventRows.map((row) => [row.name, row]))
  const propertyLabels = new Map<string, ReadonlyMap<string, string>>()
  const labelsOf = (event: string, property: string) => {
    const key = JSON.stringify([event, property])
    const known = propertyLabels.get(key)
    if (known) return known
    const entries = byEvent.get(event)?.property_settings[property]?.dictionary ?? []
    const made = new Map(entries.map(({ value, label }) => [value, label]))
    propertyLabels.set(key, made)
    return made
  }
  return {
    attribute: (name) => byAttribute.get(name)?.display_name || name,
    event: (name) => byEvent.get(name)?.display_name || name,
    property: (event, name) => byEvent.get(event)?.property_settings[name]?.display_name ?? name,
    value: (attribute, value) => labels.get(attribute)?.get(value) ?? value,
    propertyValue: (event, property, value) => labelsOf(event, property).get(value) ?? value,
  }
}
