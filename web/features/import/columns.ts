import { METRICS, REPORTED, type ReportedKey } from '#contract/activity/metrics.ts'
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
  | 'date'
  | 'campaign'
  | 'plan'
  | 'account'
  | `metric:${ReportedKey}`
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

export type Guess = Partial<
  Record<'id' | 'name' | 'phone' | 'event' | 'time' | 'title' | 'date' | 'campaign' | 'plan' | 'account', string | null>
> & { metrics?: readonly { column: string; metric: ReportedKey }[] }

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
  reports: [
    { role: 'date', label: '日期', required: true },
    { role: 'campaign', label: '活动', required: true },
    { role: 'plan', label: '计划' },
    { role: 'account', label: '平台账户 ID' },
  ],
}

/** What a column becomes that has no other role; a report has no such columns. */
const REST = { users: '属性', events: '事件属性', reports: null } as const satisfies Record<ImportKind, string | null>
/** The role of a column about which nothing is chosen. */
export const plainRole = (kind: ImportKind): ColumnRole => (REST[kind] === null ? 'skip' : 'rest')

const isIdentifier = (role: ColumnRole): role is `identifier:${IdentifierType}` => role.startsWith('identifier:')
const isMetric = (role: ColumnRole): role is `metric:${ReportedKey}` => role.startsWith('metric:')

const METRIC_OPTIONS = REPORTED.map((key) => ({ value: `metric:${key}`, label: METRICS[key].label }))

/** The choices a column's role select offers. */
export function roleOptions(kind: ImportKind) {
  const own = FIXED[kind].map(({ role, label }) => ({ value: role as string, label }))
  const identifiers = Object.entries(IDENTIFIERS).map(([type, { label }]) => ({ value: `identifier:${type}`, label }))
  return [
    ...own,
    ...(REST[kind] === null ? [] : [{ value: 'rest', label: REST[kind] }]),
    { value: 'skip', label: '不导入' },
    ...(kind === 'users' ? [{ label: '设备与账号标识', options: identifiers }] : []),
    ...(kind === 'reports' ? [{ label: '指标', options: METRIC_OPTIONS }] : []),
  ]
}

/** The initial mapping: the server's guess; all other columns are attributes or properties, or not imported. */
export function startingRoles(kind: ImportKind, columns: readonly string[], guess: Guess): ColumnRoles {
  const roles: Record<string, ColumnRole> = Object.fromEntries(columns.map((column) => [column, plainRole(kind)]))
  for (const { role } of FIXED[kind]) {
    const column = guess[role as Exclude<keyof Guess, 'metrics'>]
    if (column && roles[column] === plainRole(kind)) roles[column] = role
  }
  for (const { column, metric } of guess.metrics ?? []) {
    if (roles[column] === plainRole(kind)) roles[column] = `metric:${metric}`
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
      name === column ? role : single && had === role ? plainRole(mapping.kind) : had,
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
  const missing = FIXED[mapping.kind]
    .filter(({ role, required }) => required && !columnOf(mapping, role) && !(role === 'id' && mapping.numbered))
    .map(({ label }) => label)
  return mapping.kind === 'reports' && !Object.values(mapping.roles).some(isMetric) ? [...missing, '指标'] : missing
}

/** The mapping for the call; null while something required is missing. */
export function mappingOf(mapping: ColumnRoles): ImportMapping | null {
  if (missingRoles(mapping).length > 0) return null
  const one = (role: ColumnRole) => columnOf(mapping, role)
  if (mapping.kind === 'reports') return reportsMapping(mapping)
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

function reportsMapping(mapping: ColumnRoles): ImportMapping | null {
  const one = (role: ColumnRole) => columnOf(mapping, role)
  const date = one('date')
  const campaign = one('campaign')
  if (!date || !campaign) return null
  const metrics = Object.entries(mapping.roles).flatMap(([column, role]) =>
    isMetric(role) ? [{ column, metric: role.slice('metric:'.length) as ReportedKey }] : [],
  )
  return { kind: 'reports', date, campaign, plan: one('plan'), account: one('account'), metrics }
}

const quoted = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

const flagsOf = ({ column, name, display_name, type, dictionary = [] }: ColumnSettings): [string, string][] => [
  ...(name ? [['--rename', `${column}=${name}`] as [string, string]] : []),
  ...(display_name ? [['--display', `${column}=${display_name}`] as [string, string]] : []),
  ...(type ? [['--type', `${column}=${type}`] as [string, string]] : []),
  ...dictionary.map(({ value, label }): [string, string] => ['--label', `${column}=${value}=${label}`]),
]

/** The options of the command that say what the columns are. */
function ownFlags(mapping: ImportMapping): (string | undefined)[][] {
  if (mapping.kind === 'reports') {
    return [
      ['--date', mapping.date],
      ['--campaign', mapping.campaign],
      ['--plan', mapping.plan],
      ['--account', mapping.account],
      ...mapping.metrics.map(({ column, metric }) => ['--metric', `${column}=${metric}`]),
    ]
  }
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
  return [...flags, ...skipped, ...(mapping.fields ?? []).flatMap(flagsOf)]
}

/** The same import as a command, for files that are too large for a browser or arrive daily. */
export function commandOf(mapping: ImportMapping, file: string, advertiser: string): string {
  const all = [['--advertiser', advertiser], ...ownFlags(mapping), ['--encoding', mapping.encoding]]
  const words = all.flatMap(([flag, value]) => (flag && value ? [`${flag} ${quoted(value)}`] : []))
  return `npm run renqun -- import ${mapping.kind} ${quoted(file)} ${words.join(' ')}`
}
