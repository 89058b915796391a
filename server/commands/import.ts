import { access, constants } from 'node:fs/promises'
import { resolve } from 'node:path'
import { METRICS, REPORTED } from '#contract/activity/metrics.ts'
import { AdvertiserName } from '#contract/advertiser.ts'
import { Encoding } from '#contract/encoding.ts'
import { IDENTIFIERS, IdentifierType } from '#contract/identifier.ts'
import { type ImportKind, type ImportMapping, type ImportReport, ImportMapping as Mapping } from '#contract/import.ts'
import type { TextEncoding } from '#contract/text-encoding.ts'
import { AppError } from '../errors.ts'
import type { Runtime } from '../process/runtime.ts'
import { columnSettings, FIELD_HELP, FIELD_OPTIONS } from './column-settings.ts'
import { command, type Report } from './command.ts'

const SHARED_HELP = ['--advertiser 广告主     必填；没有时用 --create-advertiser 新建']
const NAMES_SHOWN = 30
const FORMATS = '文件可以是 CSV、NDJSON 或 Parquet，可用 gzip 压缩'
const METRIC_WIDTH = Math.max(...REPORTED.map((key) => key.length))
/** As the page does where nothing is chosen. */
const BY_CONTENT = 'auto'
const ENCODINGS = [BY_CONTENT, ...Encoding.options].join('、')
const ENCODING_HELP = `--encoding 编码         文本文件的编码：${ENCODINGS}；不写则为 ${BY_CONTENT}，按内容识别`

export const importUsers = command({
  name: 'import users',
  summary: '导入用户：未指定用途的列都成为属性',
  usage:
    '文件 --advertiser 广告主 --id 列 [--name 列] [--phone 列] [--identifier 列=类型]... [--skip 列]... [--encoding 编码] [--rename 列=属性名]... [--display 列=显示名称]... [--type 列=类型]... [--label 列=值=名称]...',
  positionals: ['文件'],
  options: {
    advertiser: { type: 'string' },
    'create-advertiser': { type: 'boolean' },
    id: { type: 'string' },
    name: { type: 'string' },
    phone: { type: 'string' },
    identifier: { type: 'string', multiple: true },
    skip: { type: 'string', multiple: true },
    encoding: { type: 'string' },
    ...FIELD_OPTIONS,
  },
  begins: 'create-advertiser',
  help: [
    ...SHARED_HELP,
    '--id 列                 用户 ID 所在的列；row 表示用行号',
    '--name 列、--phone 列    姓名、手机号',
    `--identifier 列=类型     可多次；类型有 ${Object.keys(IDENTIFIERS).join('、')}`,
    '--skip 列               不导入的列，可多次',
    ...FIELD_HELP,
    ENCODING_HELP,
    FORMATS,
  ],
  run: (runtime, { values, positionals, cwd, signal }, report) => {
    const identifiers = (values.identifier ?? []).map((pair) => {
      const at = pair.lastIndexOf('=')
      const type = IdentifierType.safeParse(pair.slice(at + 1))
      if (at < 1 || !type.success) {
        throw new Error(`--identifier ${pair} 不正确：要写成 列=类型，类型有 ${Object.keys(IDENTIFIERS).join('、')}`)
      }
      return { column: pair.slice(0, at), type: type.data }
    })
    const { name, phone, skip = [] } = values
    const encoding = encodingOf(values.encoding)
    const mapping = {
      kind: 'users',
      encoding,
      id: must(values.id, '--id'),
      name,
      phone,
      identifiers,
      skip,
      fields: columnSettings(values),
    }
    return importFile(runtime, { ...values, file: positionals[0] ?? '', cwd, signal }, mapping, report)
  },
})

export const importEvents = command({
  name: 'import events',
  summary: '导入事件：未指定用途的列都成为事件属性',
  usage:
    '文件 --advertiser 广告主 --id 列 --event 列 --time 列 [--title 列] [--message-id 列] [--skip 列]... [--encoding 编码] [--rename 列=属性名]... [--display 列=显示名称]... [--type 列=类型]... [--label 列=值=名称]...',
  positionals: ['文件'],
  options: {
    advertiser: { type: 'string' },
    'create-advertiser': { type: 'boolean' },
    id: { type: 'string' },
    event: { type: 'string' },
    time: { type: 'string' },
    title: { type: 'string' },
    'message-id': { type: 'string' },
    skip: { type: 'string', multiple: true },
    encoding: { type: 'string' },
    ...FIELD_OPTIONS,
  },
  begins: 'create-advertiser',
  help: [
    ...SHARED_HELP,
    '--id 列                 用户 ID 所在的列；没有的用户会新建',
    '--event 列              事件名',
    '--time 列               时间：时间戳（秒或毫秒）、ISO 8601 或 YYYY-MM-DD HH:MM:SS（部署时区）',
    '--title 列              事件标题',
    '--message-id 列         同一消息 ID 只计一次；不写则按整行内容去重',
    '--skip 列               不导入的列，可多次',
    ...FIELD_HELP,
    ENCODING_HELP,
    FORMATS,
  ],
  run: (runtime, { values, positionals, cwd, signal }, report) => {
    const mapping = {
      kind: 'events',
      encoding: encodingOf(values.encoding),
      id: must(values.id, '--id'),
      event: must(values.event, '--event'),
      time: must(values.time, '--time'),
      title: values.title,
      message_id: values['message-id'],
      skip: values.skip ?? [],
      fields: columnSettings(values),
    }
    return importFile(runtime, { ...values, file: positionals[0] ?? '', cwd, signal }, mapping, report)
  },
})

export const importReports = command({
  name: 'import reports',
  summary: '导入报表：每行是一个活动或计划一天的数据，替换文件中各账户各天的数据',
  usage:
    '文件 --advertiser 广告主 --date 列 --campaign 列 --metric 列=指标... [--plan 列] [--account 列] [--encoding 编码]',
  positionals: ['文件'],
  options: {
    advertiser: { type: 'string' },
    'create-advertiser': { type: 'boolean' },
    date: { type: 'string' },
    campaign: { type: 'string' },
    plan: { type: 'string' },
    account: { type: 'string' },
    metric: { type: 'string', multiple: true },
    encoding: { type: 'string' },
  },
  begins: 'create-advertiser',
  help: [
    ...SHARED_HELP,
    '--date 列               日期',
    '--campaign 列           活动名称或 ID',
    '--plan 列               计划名称或 ID；不写则每行是整个活动的数据',
    '--account 列            平台账户 ID；不写则数据不属于任何账户',
    '--metric 列=指标         可多次；金额的单位为元；指标有：',
    ...REPORTED.map((key) => `  ${key.padEnd(METRIC_WIDTH)}  ${METRICS[key].label}`),
    ENCODING_HELP,
    FORMATS,
  ],
  run: (runtime, { values, positionals, cwd, signal }, report) => {
    const metrics = (values.metric ?? []).map((pair) => {
      const at = pair.lastIndexOf('=')
      const metric = REPORTED.find((key) => key === pair.slice(at + 1))
      if (at < 1 || !metric) throw new Error(`--metric ${pair} 不正确：要写成 列=指标，指标有 ${REPORTED.join('、')}`)
      return { column: pair.slice(0, at), metric }
    })
    const mapping = {
      kind: 'reports',
      encoding: encodingOf(values.encoding),
      date: must(values.date, '--date'),
      campaign: must(values.campaign, '--campaign'),
      plan: values.plan,
      account: values.account,
      metrics,
    }
    return importFile(runtime, { ...values, file: positionals[0] ?? '', cwd, signal }, mapping, report)
  },
})

function must(value: string | undefined, option: string): string {
  if (value === undefined) throw new Error(`缺少 ${option}`)
  return value
}

function encodingOf(typed: string | undefined): TextEncoding | undefined {
  if (typed === undefined || typed === BY_CONTENT) return undefined
  const read = Encoding.safeParse(typed.toLowerCase())
  if (!read.success) throw new Error(`--encoding ${typed} 不正确：可以是 ${ENCODINGS}`)
  return read.data
}

interface Typed {
  file: string
  cwd: string
  signal: AbortSignal
  advertiser?: string | undefined
  'create-advertiser'?: boolean | undefined
}

async function importFile(runtime: Runtime, typed: Typed, given: unknown, { progress, print }: Report): Promise<void> {
  const name = must(typed.advertiser, '--advertiser').trim()
  const path = resolve(typed.cwd, typed.file)
  await access(path, constants.R_OK).catch(() => {
    throw new Error(`文件 ${path} 不存在或无法读取`)
  })
  const read = Mapping.safeParse(given)
  if (!read.success) throw new Error(read.error.issues[0]?.message)
  const mapping = read.data
  const { imports, advertisers } = runtime.services
  // Checked before an advertiser is created for the import.
  await imports.mustFit(path, mapping)
  const begun = await begin(runtime, { name, path, mapping, mayCreate: typed['create-advertiser'] ?? false })
  const row = await imports.wait(begun.id, typed.signal, progress)
  if (row.status === 'failed' || !row.report) {
    if (begun.isMade) await advertisers.takeBack(begun.adv_id, begun.id)
    throw new Error(row.error ?? '导入失败')
  }
  progress(1, '完成')
  for (const line of reportLines(row.kind, row.report, imports.refusedPath(begun.id))) print(line)
}

interface ImportCommand {
  /** The advertiser's name. */
  name: string
  path: string
  mapping: ImportMapping
  mayCreate: boolean
}

/** Starts the import; returns whether the advertiser was created for it. */
async function begin(
  runtime: Runtime,
  wanted: ImportCommand,
): Promise<{ id: number; adv_id: number; isMade: boolean }> {
  const { imports, advertisers } = runtime.services
  const { adv_id, isMade } = await advertiserNamed(runtime, wanted)
  try {
    return { id: await imports.startFile(adv_id, wanted.path, wanted.mapping), adv_id, isMade }
  } catch (error) {
    if (isMade) await advertisers.takeBack(adv_id, null)
    // Another import created the advertiser, failed, and removed it.
    else if (wanted.mayCreate && (error as { code?: unknown }).code === FOREIGN_KEY_VIOLATION)
      return begin(runtime, wanted)
    throw error
  }
}
const FOREIGN_KEY_VIOLATION = '23503'

export async function advertiserNamed(
  { stores, services }: Runtime,
  { name, mayCreate }: Pick<ImportCommand, 'name' | 'mayCreate'>,
): Promise<{ adv_id: number; isMade: boolean }> {
  const listed = () => stores.postgres.db.selectFrom('advertiser').select(['id', 'name']).orderBy('id').execute()
  const all = await listed()
  const found = all.find((one) => one.name === name)
  if (found) return { adv_id: found.id, isMade: false }
  if (!mayCreate) {
    const more = all.length > NAMES_SHOWN ? ` 等 ${all.length} 个` : ''
    const shown = all.slice(0, NAMES_SHOWN).map((one) => one.name)
    const known = `${shown.join('、')}${more}` || '（还没有，可加 --create-advertiser 新建）'
    throw new AppError('importUnknownAdvertiser', { name, known })
  }
  const fit = AdvertiserName.safeParse(name)
  if (!fit.success) throw new Error(fit.error.issues[0]?.message)
  try {
    return { adv_id: await services.advertisers.create(null, fit.data), isMade: true }
  } catch (error) {
    // Another import created it at the same moment.
    const theirs = (await listed()).find((one) => one.name === fit.data)
    if (theirs) return { adv_id: theirs.id, isMade: false }
    throw error
  }
}

const count = (rows: number) => rows.toLocaleString('en')

/** Prints the report, whose numbers add up to the first line. */
function reportLines(kind: ImportKind, report: ImportReport, refused: string): string[] {
  return [
    `共 ${count(report.rows)} 行 = 入库 ${count(report.stored)} + 重复 ${count(report.duplicate)} + 拒绝 ${count(report.refused)}`,
    `${kind === 'reports' ? '' : `新增用户 ${count(report.new_people)} 人，`}用时 ${(report.took_ms / 1000).toFixed(1)} 秒`,
    ...report.reasons.map(({ reason, rows }) => `  拒绝 ${count(rows)} 行：${reason}`),
    ...report.warnings.map(({ reason, rows, data_rows }) => {
      const first =
        data_rows.length > 0
          ? `（第 ${data_rows.map(count).join('、')}${rows > data_rows.length ? ' 等' : ''} 条数据）`
          : ''
      return `  提示 ${count(rows)} 行：${reason}${first}`
    }),
    ...(report.refused > 0 ? [`被拒绝的行及原因：${refused}`] : []),
  ]
}
