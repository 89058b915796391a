import { type Selectable, sql, type Transaction } from 'kysely'
import type { AttributeTable, Database, PropertySettings, StoredBrought, StoredEntry, StoredSetting } from './schema.ts'

type AttributeSettings = Pick<Selectable<AttributeTable>, 'name' | 'type' | 'is_type_fixed' | 'display_name'> & {
  dictionary: StoredEntry[]
}
type Properties = Record<string, PropertySettings>

/** Names what a setting is about; of the settings of two imports with one key the later one holds. */
const keyOf = ({ attribute, event, property, what, value }: StoredSetting) =>
  JSON.stringify([attribute ?? null, event ?? null, property ?? null, what, value ?? null])

/**
 * Takes back what an import's mapping settled about its fields: each setting that still is as the mapping made it becomes
 * what it was before. What a viewer or a later import settled stays, and where another import takes over rows, their
 * fields keep their settings, which are that import's from then on. May be repeated.
 */
export async function takeSettingsBack(
  tx: Transaction<Database>,
  {
    adv_id,
    import_id,
    heirs,
    began,
    settled = [],
  }: StoredBrought & { adv_id: number; import_id: number; heirs: readonly number[] },
): Promise<void> {
  if (settled.length === 0) return
  const own = await leaveToLater(tx, { adv_id, import_id, began, settled })
  if (heirs.length > 0) return handSettings(tx, heirs, own)
  const attributes = Map.groupBy(own, ({ attribute }) => attribute ?? '')
  for (const [name, settings] of attributes) {
    const row = await tx
      .selectFrom('attribute')
      .select(['id', 'name', 'type', 'is_type_fixed', 'display_name', 'dictionary', 'tagged_by'])
      .where('adv_id', '=', adv_id)
      .where('name', '=', name)
      .forUpdate()
      .executeTakeFirst()
    if (!row) continue
    const { type, is_type_fixed, display_name, dictionary } = withoutSettings(row, settings)
    // null: its tags are made as at the first import.
    const tagged_by = type !== row.type && row.tagged_by === 'ranges' ? null : row.tagged_by
    await tx
      .updateTable('attribute')
      .set({ type, is_type_fixed, display_name, tagged_by, dictionary: JSON.stringify(dictionary) })
      .where('id', '=', row.id)
      .execute()
  }
  for (const [name, settings] of Map.groupBy(own, ({ event }) => event ?? '')) {
    const row = await tx
      .selectFrom('event_name')
      .select(['id', 'property_settings'])
      .where('adv_id', '=', adv_id)
      .where('name', '=', name)
      .forUpdate()
      .executeTakeFirst()
    if (!row) continue
    await tx
      .updateTable('event_name')
      .set({ property_settings: JSON.stringify(propertiesWithout(row.property_settings, settings)) })
      .where('id', '=', row.id)
      .execute()
  }
}

/** Gives the settings to the earliest import that takes over rows. */
async function handSettings(
  tx: Transaction<Database>,
  heirs: readonly number[],
  own: readonly StoredSetting[],
): Promise<void> {
  const heir = await tx
    .selectFrom('import')
    .select(['id', 'brought'])
    .where('id', 'in', heirs)
    .where('brought', 'is not', null)
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (!heir?.brought || own.length === 0) return
  const settled = [...(heir.brought.settled ?? []), ...own]
  await tx
    .updateTable('import')
    .set({ brought: JSON.stringify({ ...heir.brought, settled }) })
    .where('id', '=', heir.id)
    .execute()
}

/**
 * The settings that no later import settled again. Where one did, undoing that one must later lead back to what was
 * before both.
 */
async function leaveToLater(
  tx: Transaction<Database>,
  of: { adv_id: number; import_id: number; began: number; settled: readonly StoredSetting[] },
): Promise<StoredSetting[]> {
  const { adv_id, import_id, began, settled } = of
  const later = await tx
    .selectFrom('import')
    .select(['id', 'brought'])
    .where('adv_id', '=', adv_id)
    .where('id', '!=', import_id)
    .where('status', '!=', 'undone')
    .where(sql<boolean>`jsonb_array_length(brought->'settled') > 0`)
    .where(sql<boolean>`((brought->>'began')::bigint, id) > (${began}, ${import_id})`)
    .orderBy(sql`(brought->>'began')::bigint`)
    .orderBy('id')
    .forUpdate()
    .execute()
  const own = new Map(settled.map((setting) => [keyOf(setting), setting]))
  for (const { id, brought } of later) {
    if (!brought) continue
    const handed = brought.settled?.map((setting) => {
      const before = own.get(keyOf(setting))
      own.delete(keyOf(setting))
      return before ? { ...setting, before: before.before } : setting
    })
    await tx
      .updateTable('import')
      .set({ brought: JSON.stringify({ ...brought, settled: handed }) })
      .where('id', '=', id)
      .execute()
  }
  return [...own.values()]
}

/** The settings of an attribute as they were before these. */
export function withoutSettings<A extends AttributeSettings>(attribute: A, settings: readonly StoredSetting[]): A {
  const back = { ...attribute }
  const labels = new Map(attribute.dictionary.map((entry) => [entry.value, entry]))
  for (const { what, value = '', set, before } of settings) {
    if (what === 'display_name' && attribute.display_name === set) back.display_name = before ?? attribute.name
    if (what === 'type' && attribute.is_type_fixed && attribute.type === set) {
      back.is_type_fixed = before !== null
      back.type = (before as AttributeSettings['type'] | null) ?? attribute.type
    }
    const entry = labels.get(value)
    if (what === 'label' && entry?.label === set) {
      if (before === null) labels.delete(value)
      else labels.set(value, { ...entry, label: before })
    }
  }
  return { ...back, dictionary: [...labels.values()] }
}

/** The settings of an event's properties as they were before these. */
export function propertiesWithout(properties: Properties, settings: readonly StoredSetting[]): Properties {
  const back = { ...properties }
  for (const { property = '', what, value = '', set, before } of settings) {
    const now = back[property]
    if (!now) continue
    const left = what === 'label' ? withoutLabel(now, { value, set, before }) : withoutOwn(now, { what, set, before })
    if (Object.keys(left).length > 0) back[property] = left
    else delete back[property]
  }
  return back
}

function withoutOwn(
  now: PropertySettings,
  { what, set, before }: Pick<StoredSetting, 'set' | 'before'> & { what: 'display_name' | 'type' },
): PropertySettings {
  if (now[what] !== set) return now
  const { [what]: _, ...rest } = now
  return before === null ? rest : { ...rest, [what]: before }
}

function withoutLabel(
  { dictionary = [], ...rest }: PropertySettings,
  { value, set, before }: Pick<StoredSetting, 'set' | 'before'> & { value: string },
): PropertySettings {
  const left = dictionary.flatMap((entry) => {
    if (entry.value !== value || entry.label !== set) return [entry]
    return before === null ? [] : [{ ...entry, label: before }]
  })
  return left.length > 0 ? { ...rest, dictionary: left } : rest
}

/** Whether something was settled about an attribute. */
export const isSettled = ({ name, is_type_fixed, dictionary, display_name }: AttributeSettings): boolean =>
  is_type_fixed || dictionary.length > 0 || display_name !== name
