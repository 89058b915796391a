import { IDENTIFIERS, type IdentifierType } from '#contract/identifier.ts'
import { type ColumnSettings, type ImportKind, type ImportMapping, ROW_ID } from '#contract/import.ts'
import { FIELD_TYPES } from '#contract/outcomes/tag.ts'

/** The role of a column. `rest` is an attribute of a user row or a property of an event row. */
export type ColumnRole =
  | 'id'
  | 'name'
  | 'phone'
  | `identifier:${IdentifierType}`
  | 'event'
  | 'time'
  | 'title'
  | 'message_id'
  | 'rest'
  | 'skip'

/** A role for each column of the file, and for users whether rows are numbered instead of having an id. */
export interface ColumnRoles {
  kind: ImportKind
  numbered: boolean
  roles: Record<string, ColumnRole>
  /** By column; what is settled about those that become attributes or properties. */
  settings: Record<string, ColumnSettings>
}

export type Guess = Partial<Record<'id' | 'name' | 'phone' | 'event' | 'time' | 'title', string | null>>

const FIXED: Record<ImportKind, { role: ColumnRole; label: string; required?: boolean }[]> = {
  users: [
    { role: 'id', label: '用户 ID', required: true },
    { role: 'name', label: '姓名' },
    { role: 'phone', label: '手机号' },
  ],
  events: [
    { role: 'id', label: '用户 ID', required: true },
    { role: 'event', label: '事件名', required: true },
    { role: 'time', label: '发生时间', required: true },
    { role: 'title', label: '事件标题' },
    { role: 'message_id', label: '消息 ID（去重用）' },
  ],
}

const restLabel = (kind: ImportKind): string => (kind === 'users' ? '属性' : '事件属性')

const isIdentifier = (role: ColumnRole): role is `identifier:${IdentifierType}` => role.startsWith('identifier:')

/** The choices a column's role select offers. */
export function roleOptions(kind: ImportKind) {
  const own = FIXED[kind].map(({ role, label }) => ({ value: role as string, label }))
  const identifiers = Object.entries(IDENTIFIERS).map(([type, { label }]) => ({ value: `identifier:${type}`, label }))
  return [
    ...own,
    { value: 'rest', label: restLabel(kind) },
    { value: 'skip', label: '不导入' },
    ...(kind === 'users' ? [{ label: '设备与账号标识', options: identifiers }] : []),
  ]
}

/** The initial mapping: the server's guess; all other columns are attributes or properties. */
export function startingRoles(kind: ImportKind, columns: readonly string[], guess: Guess): ColumnRoles {
  const roles: Record<string, ColumnRole> = Object.fromEntries(columns.map((column) => [column, 'rest']))
  for (const { role } of FIXED[kind]) {
    const column = guess[role as keyof Guess]
    if (column && roles[column] === 'rest') roles[column] = role
  }
  // Never numbered by itself: the rows of two files would be taken for the same people.
  return { kind, numbered: false, roles, settings: {} }
}

/** Gives a column a role; a role that only one column may have is taken from the column that had it. */
export function setRole(mapping: ColumnRoles, column: string, role: ColumnRole): ColumnRoles {
  const single = role !== 'rest' && role !== 'skip'
  const roles = Object.fromEntries(
    Object.entries(mapping.roles).map(([name, had]) => [
      name,
      name === column ? role : single && had === role ? 'rest' : had,
    ]),
  )
  return { ...mapping, numbered: role === 'id' ? false : mapping.numbered, roles }
}

/** Rows numbered from 1 instead of an id column. */
export function setNumbered(mapping: ColumnRoles, numbered: boolean): ColumnRoles {
  const roles = Object.fromEntries(
    Object.entries(mapping.roles).map(([name, had]) => [name, numbered && had === 'id' ? 'rest' : had]),
  )
  return { ...mapping, numbered, roles }
}

/** Settles how a column is stored and shown. */
export const setSettings = (mapping: ColumnRoles, settings: ColumnSettings): ColumnRoles => ({
  ...mapping,
  settings: { ...mapping.settings, [settings.column]: settings },
})

/** What is settled about a column, in short; empty if nothing is. */
export function settingsText({ name, display_name, type, dictionary = [] }: Partial<ColumnSettings> = {}): string {
  const shown = display_name ?? name
  return [
    ...(shown ? [shown] : []),
    ...(type ? [FIELD_TYPES[type]] : []),
    ...(dictionary.length > 0 ? [`${dictionary.length} 个值有名称`] : []),
  ].join(' · ')
}

const columnOf = (mapping: ColumnRoles, role: ColumnRole): string | undefined =>
  Object.keys(mapping.roles).find((column) => mapping.roles[column] === role)

/** What is still missing, as sentences; empty if the import can start. */
export function missingRoles(mapping: ColumnRoles): string[] {
  return FIXED[mapping.kind]
    .filter(({ role, required }) => required && !columnOf(mapping, role) && !(role === 'id' && mapping.numbered))
    .map(({ label }) => label)
}

/** The mapping for the call; null while something required is missing. */
export function mappingOf(mapping: ColumnRoles): ImportMapping | null {
  if (missingRoles(mapping).length > 0) return null
  const one = (role: ColumnRole) => columnOf(mapping, role)
  const skip = Object.keys(mapping.roles).filter((column) => mapping.roles[column] === 'skip')
  const id = mapping.numbered ? ROW_ID : one('id')
  const settled = Object.values(mapping.settings).filter(
    (settings) => mapping.roles[settings.column] === 'rest' && settingsText(settings) !== '',
  )
  const fields = settled.length > 0 ? { fields: settled } : {}
  if (!id) return null
  if (mapping.kind === 'users') {
    const identifiers = Object.entries(mapping.roles).flatMap(([column, role]) =>
      isIdentifier(role) ? [{ column, type: role.slice('identifier:'.length) as IdentifierType }] : [],
    )
    return { kind: 'users', id, name: one('name'), phone: one('phone'), identifiers, skip, ...fields }
  }
  const event = one('event')
  const time = one('time')
  if (!event || !time) return null
  return { kind: 'events', id, event, time, title: one('title'), message_id: one('message_id'), skip, ...fields }
}

const quoted = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

const flagsOf = ({ column, name, display_name, type, dictionary = [] }: ColumnSettings): [string, string][] => [
  ...(name ? [['--rename', `${column}=${name}`] as [string, string]] : []),
  ...(display_name ? [['--display', `${column}=${display_name}`] as [string, string]] : []),
  ...(type ? [['--type', `${column}=${type}`] as [string, string]] : []),
  ...dictionary.map(({ value, label }): [string, string] => ['--label', `${column}=${value}=${label}`]),
]

/** The same import as a command, for files that are too large for a browser or arrive daily. */
export function commandOf(mapping: ImportMapping, file: string, advertiser: string): string {
  const flags: (string | undefined)[][] =
    mapping.kind === 'users'
      ? [
          ['--id', mapping.id],
          ['--name', mapping.name],
          ['--phone', mapping.phone],
          ...mapping.identifiers.map(({ column, type }) => ['--identifier', `${column}=${type}`]),
        ]
      : [
          ['--id', mapping.id],
          ['--event', mapping.event],
          ['--time', mapping.time],
          ['--title', mapping.title],
          ['--message-id', mapping.message_id],
        ]
  const skipped = mapping.skip.map((column) => ['--skip', column])
  const settled = (mapping.fields ?? []).flatMap(flagsOf)
  const all = [['--advertiser', advertiser], ...flags, ...skipped, ...settled, ['--encoding', mapping.encoding]]
  const words = all.flatMap(([flag, value]) => (flag && value ? [`${flag} ${quoted(value)}`] : []))
  return `npm run renqun -- import ${mapping.kind} ${quoted(file)} ${words.join(' ')}`
}
