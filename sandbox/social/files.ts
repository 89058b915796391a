import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dayOf, timeText } from '../clock.ts'
import type { Parts } from '../parts.ts'
import type { Answer } from '../wire.ts'
import { durations } from '../work.ts'
import type { Context, Interface } from './access.ts'
import { accountFor, paged } from './advertisers.ts'
import { audienceFor, SCOPES } from './audiences.ts'
import { Refusal, success } from './envelope.ts'
import { ID_TYPES } from './id-types.ts'

const FILE_BYTES = 100 * 2 ** 20
const fileId = (no: number) => String(9_307_199_254_740_993n + BigInt(no) * 2n)

export interface AudienceFile {
  no: number
  id: string
  audience_id: string
  account_id: string
  name: string
  user_id_type: string
  operation_type: 'APPEND' | 'REDUCE'
  open_app_id: string
  size: number
  path: string
  is_half: number
  status: 'PENDING' | 'PROCESSING' | 'SUCCESS' | 'ERROR'
  process_code: number
  error_message: string
  line_count: number
  valid_line_count: number
  user_count: number
  made_at: number
  begins_at: number
  due_at: number
}

/** Receives the files of an audience, and lists them with their state. */
export function fileCalls({ db, clock, switches }: Parts): Record<string, Interface> {
  function idTypeOf({ given, generation }: Context): string {
    const type = given.text('user_id_type')
    if (type === undefined || type === '') throw new Refusal(18001, ['user_id_type'])
    const kind = Object.hasOwn(ID_TYPES, type) ? ID_TYPES[type] : undefined
    if (!kind || (kind.isOld && generation === 3)) throw new Refusal(50047, ['user_id_type'])
    return type
  }

  function checkDay(account_id: string) {
    const most = switches.now.social_files_per_day
    if (most === 0) return
    const today = dayOf(clock.now())
    const sent = db
      .all<{ made_at: number }>('SELECT made_at FROM social_file WHERE account_id = ?', account_id)
      .filter(({ made_at }) => dayOf(made_at) === today).length
    if (sent >= most) throw new Refusal(11018)
  }

  function add(context: Context): Answer {
    const { given } = context
    if (!given.isMultipart) throw new Refusal(50038, ['file'])
    const account_id = accountFor(context)
    const audience = audienceFor(db, context, account_id)
    const user_id_type = idTypeOf(context)
    const operation_type = given.oneOf('operation_type', ['APPEND', 'REDUCE']) ?? 'APPEND'
    const open_app_id = given.text('open_app_id') ?? ''
    if (ID_TYPES[user_id_type]?.needsApp && open_app_id === '') throw new Refusal(18001, ['open_app_id'])
    if (open_app_id.length > 128) throw new Refusal(18003, ['open_app_id'])
    const file = given.file('file')
    if (!file || file.content.length === 0) throw new Refusal(50038, ['file'])
    if (!/\.(txt|csv|zip)$/i.test(file.name)) throw new Refusal(50003, ['file'])
    if (file.content.length > FILE_BYTES) throw new Refusal(50004, ['file'])
    if (audience.type !== 'CUSTOMER_FILE') throw new Refusal(50013)
    if (['FROZEN', 'THAWING', 'LOCKING'].includes(audience.status)) throw new Refusal(50014)
    const busy = db.number(
      "SELECT count(*) FROM social_file WHERE audience_id = ? AND status IN ('PENDING', 'PROCESSING')",
      audience.id,
    )
    if (busy > 0) throw new Refusal(54307)
    const size = db.number('SELECT count(*) FROM social_value WHERE audience = ?', audience.no)
    if (operation_type === 'REDUCE' && size === 0) throw new Refusal(50014)
    checkDay(account_id)

    const path = join(db.files, `${randomBytes(12).toString('hex')}.part`)
    writeFileSync(path, file.content, { mode: 0o600 })
    const no = db.number("SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'social_file'), 0) + 1")
    const at = clock.now()
    const { wait, whole } = durations(switches)
    const isHalf = switches.happens(switches.now.half_accept_rate)
    db.run(
      `INSERT INTO social_file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'PENDING', 0, '', 0, 0, 0, ?, ?, ?)`,
      ...[no, fileId(no), audience.id, account_id, file.name, user_id_type, operation_type, open_app_id],
      ...[file.content.length, path, isHalf ? 1 : 0, at, at + wait, at + whole],
    )
    db.run("UPDATE social_audience SET status = 'PROCESSING', changed_at = ? WHERE no = ?", at, audience.no)
    return success({ custom_audience_file_id: BigInt(fileId(no)) })
  }

  const row = (file: AudienceFile) => ({
    audience_id: BigInt(file.audience_id),
    custom_audience_file_id: BigInt(file.id),
    name: file.name,
    user_id_type: file.user_id_type,
    operation_type: file.operation_type,
    open_app_id: file.open_app_id,
    process_status: file.status,
    process_code: file.process_code,
    error_message: file.error_message,
    line_count: file.line_count,
    valid_line_count: file.valid_line_count,
    user_count: file.user_count,
    size: file.size,
    created_time: timeText(file.made_at),
  })

  function get(context: Context): Answer {
    const { given } = context
    const account_id = accountFor(context)
    const audience_id = given.id('audience_id') ?? null
    const id = given.id('custom_audience_file_id') ?? null
    const found = db.all<AudienceFile>(
      `SELECT * FROM social_file WHERE account_id = ?1 AND (?2 IS NULL OR audience_id = ?2) AND (?3 IS NULL OR id = ?3)
       ORDER BY no DESC`,
      ...[account_id, audience_id, id],
    )
    const { list, page_info } = paged(context, found)
    return success({ list: list.map(row), page_info })
  }

  return {
    'POST custom_audience_files/add': { scopes: SCOPES, isIdempotent: true, act: add },
    'GET custom_audience_files/get': { scopes: SCOPES, act: get },
  }
}
