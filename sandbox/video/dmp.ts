import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isZip } from '../archive.ts'
import { dayOf } from '../clock.ts'
import type { Parts } from '../parts.ts'
import type { Answer } from '../wire.ts'
import { durations } from '../work.ts'
import { advertiserFor, type Context, type Interface } from './access.ts'
import { fine, wrong } from './envelope.ts'
import { readRow, selectRow, sourceRow } from './rows.ts'
import {
  DELETED,
  DELIVERY,
  FILE_DAYS,
  isBusy,
  PUSHING,
  type Source,
  type Upload,
  type VideoAudience,
} from './sources.ts'

const FILE_BYTES = 50 * 2 ** 20
const MOST_ID = 2n ** 63n - 1n
const READ = [3, 30]
const WRITE = [3, 31]

/** Uploads, data sources and their audiences. */
export function dmpCalls({ db, clock, switches, people }: Parts): Record<string, Interface> {
  const advertiser = ({ token, given }: Context) => advertiserFor(token, given.id('advertiser_id'))

  function upload({ token, form }: Context): Answer {
    const text = form.text('advertiser_id')
    if (text === undefined) throw wrong('advertiser_id: 缺少必填参数')
    if (!/^[1-9]\d{0,18}$/.test(text) || BigInt(text) > MOST_ID) throw wrong('advertiser_id: 应为整数')
    const account_id = advertiserFor(token, text)
    const file = form.file('file')
    if (!file) throw wrong('file: 缺少必填参数')
    const signature = form.text('file_signature')
    if (file.content.length > FILE_BYTES) throw wrong('file: 文件不能超过50MB')
    if (!/\.zip$/i.test(file.name) || !isZip(file.content)) throw wrong('file: 应为zip文件')
    if (signature !== undefined && signature !== createHash('md5').update(file.content).digest('hex')) {
      throw wrong('file_signature: 与文件的MD5不一致')
    }
    const file_path = `dmp/${dayOf(clock.now())}/${randomBytes(16).toString('hex')}`
    const path = join(db.files, `${randomBytes(12).toString('hex')}.zip`)
    writeFileSync(path, file.content, { mode: 0o600 })
    db.run(
      'INSERT INTO video_upload VALUES (?, ?, ?, ?, ?)',
      ...[file_path, account_id, path, file.content.length, clock.now()],
    )
    return fine({ file_path })
  }

  function checkFiles(account_id: string, paths: readonly string[]) {
    for (const path of paths) {
      const found = db.one<Upload>(
        'SELECT * FROM video_upload WHERE file_path = ? AND account_id = ?',
        path,
        account_id,
      )
      if (!found) throw wrong(`file_paths: 文件不存在: ${path}`)
      if (clock.now() - found.made_at > FILE_DAYS * 86_400) throw wrong(`file_paths: 文件已过期: ${path}`)
    }
  }

  function addChange(source_id: string, action: number, paths: readonly string[]) {
    const at = clock.now()
    const { wait, whole } = durations(switches)
    const isHalf = switches.happens(switches.now.half_accept_rate)
    // Changes of a source take effect in the order received, however long each takes.
    const before = db.number('SELECT max(due_at) FROM video_change WHERE source_id = ? AND status IN (0, 1)', source_id)
    const due = Math.max(at + whole, before)
    db.run(
      `INSERT INTO video_change (source_id, action, file_paths, is_half, status, message, made_at, changed_at, begins_at,
         due_at) VALUES (?, ?, ?, ?, 0, '', ?, ?, ?, ?)`,
      ...[source_id, action, JSON.stringify(paths), isHalf ? 1 : 0, at, at, at + wait, due],
    )
  }

  /** Sources that have an audience, or may still get one. */
  const LIVE = `account_id = ? AND no NOT IN (
    SELECT s.no FROM video_source s LEFT JOIN video_audience a ON a.source_id = s.id
    WHERE a.is_deleted = 1 OR (a.no IS NULL AND NOT EXISTS (
      SELECT 1 FROM video_change c WHERE c.source_id = s.id AND c.status IN (0, 1))))`

  function create(context: Context): Answer {
    const { given } = context
    const account_id = advertiser(context)
    const name = given.text('data_source_name', { most: 30 })
    const description = given.text('description', { most: 256 })
    given.number('data_format', { of: [0] })
    given.number('file_storage_type', { of: [0] })
    const paths = given.texts('file_paths', 1000)
    const type = given.oneOf('data_source_type', ['UID', 'DID'], 'UID')
    checkFiles(account_id, paths)
    const now = switches.now
    if (
      now.video_unique_names &&
      db.number(`SELECT count(*) FROM video_source WHERE ${LIVE} AND name = ?`, account_id, name) > 0
    ) {
      throw wrong(`数据源名称已存在: ${name}`)
    }
    if (db.number(`SELECT count(*) FROM video_source WHERE ${LIVE}`, account_id) >= now.video_audiences) {
      throw wrong(`人群数量已达上限${now.video_audiences}`)
    }
    const today = dayOf(clock.now())
    const madeToday = db
      .all<Source>('SELECT * FROM video_source WHERE account_id = ?', account_id)
      .filter(({ made_at }) => dayOf(made_at) === today).length
    if (madeToday >= now.video_sources_per_day) throw wrong(`每天最多创建${now.video_sources_per_day}个数据源`)
    const id = randomBytes(16).toString('hex')
    const at = clock.now()
    db.run(
      `INSERT INTO video_source (id, account_id, name, description, type, status, made_at, changed_at)
       VALUES (?, ?, ?, ?, ?, 0, ?, ?)`,
      ...[id, account_id, name, description, type, at, at],
    )
    addChange(id, 0, paths)
    return fine({ data_source_id: id })
  }

  function update(context: Context): Answer {
    const { given } = context
    const account_id = advertiser(context)
    const id = given.text('data_source_id')
    const action = given.number('operation_type', { of: [1, 2, 3] })
    given.number('data_format', { of: [0] })
    given.number('file_storage_type', { of: [0] })
    const paths = given.texts('file_paths', 200)
    const source = db.one<Source>('SELECT * FROM video_source WHERE id = ? AND account_id = ?', id, account_id)
    if (!source) throw wrong(`data_source_id: 数据源不存在: ${id}`)
    const deleted = db.number('SELECT count(*) FROM video_audience WHERE source_id = ? AND is_deleted', id)
    if (deleted > 0) throw wrong('数据源对应的人群已被删除')
    checkFiles(account_id, paths)
    addChange(id, action, paths)
    return fine({})
  }

  function readSources(context: Context): Answer {
    const account_id = advertiser(context)
    const wanted = context.given.texts('data_source_id_list', 400)
    const found = wanted.flatMap(
      (id) => db.one<Source>('SELECT * FROM video_source WHERE id = ? AND account_id = ?', id, account_id) ?? [],
    )
    const newest = [...new Map(found.map((one) => [one.no, one])).values()].sort((a, b) => b.no - a.no)
    return fine({ data_list: newest.map((source) => sourceRow(db, source)) })
  }

  /** Audiences created by the account, or pushed to it. */
  const isSeenBy = (account_id: string) => (audience: VideoAudience) =>
    audience.account_id === account_id ||
    (audience.push_status === 2 && (JSON.parse(audience.pushed_to) as string[]).includes(account_id))

  const seen = (account_id: string) =>
    db
      .all<VideoAudience>(
        'SELECT * FROM video_audience WHERE account_id = ?1 OR instr(pushed_to, ?1) > 0 ORDER BY no DESC',
        account_id,
      )
      .filter(isSeenBy(account_id))

  function select(context: Context): Answer {
    const { given } = context
    const account_id = advertiser(context)
    const isDeliverable = given.number('select_type', { of: [0, 1] }) === 1
    const offset = given.optionalNumber('offset', { least: 0 }) ?? 0
    const limit = given.optionalNumber('limit', { least: 1, most: 100 }) ?? 100
    const rows = seen(account_id).filter(
      ({ is_deleted, delivery_status }) => !is_deleted && (!isDeliverable || delivery_status === DELIVERY.available),
    )
    const list = rows.slice(offset, offset + limit)
    return fine({ custom_audience_list: list.map(selectRow), offset: offset + list.length, total_num: rows.length })
  }

  function readAudiences(context: Context): Answer {
    const account_id = advertiser(context)
    const ids = context.given.ids('custom_audience_ids', 100)
    const rows = seen(account_id).filter(({ id }) => ids.includes(id))
    return fine({ custom_audience_list: rows.map(readRow) })
  }

  function ownAudience(context: Context, account_id: string): VideoAudience {
    const id = context.given.id('custom_audience_id')
    const audience = db.one<VideoAudience>(
      'SELECT * FROM video_audience WHERE id = ? AND account_id = ? AND NOT is_deleted',
      ...[id, account_id],
    )
    if (!audience) throw wrong(`custom_audience_id: 人群不存在: ${id}`)
    return audience
  }

  function publish(context: Context): Answer {
    const audience = ownAudience(context, advertiser(context))
    if (isBusy(db, audience.source_id)) throw wrong('数据源正在解析，请稍后再发布')
    if (audience.publish_due !== null) throw wrong('人群正在发布中')
    const every = switches.now.video_publish_every_seconds
    const since = clock.now() - (audience.published_at ?? Number.NEGATIVE_INFINITY)
    if (since < every) throw wrong('同一人群24小时内只能发布一次')
    const { whole } = durations(switches)
    db.run(
      'UPDATE video_audience SET published_at = ?, publish_due = ?, changed_at = ? WHERE no = ?',
      ...[clock.now(), clock.now() + whole, clock.now(), audience.no],
    )
    return fine({})
  }

  function push(context: Context): Answer {
    const account_id = advertiser(context)
    const audience = ownAudience(context, account_id)
    const targets = context.given.ids('target_advertiser_ids', 100)
    const { company } = people.account('video', account_id) ?? { company: '' }
    for (const target of targets) {
      const account = people.account('video', target)
      if (!account) throw wrong(`target_advertiser_ids: 广告主不存在: ${target}`)
      if (account.company !== company) throw wrong(`target_advertiser_ids: 不是同一主体的广告主: ${target}`)
    }
    if (audience.publish_due !== null) throw wrong('人群正在发布中，请稍后再推送')
    if (audience.delivery_status === DELIVERY.needPublish) throw wrong('人群尚未发布，不能推送')
    const pushed = [...new Set([...(JSON.parse(audience.pushed_to) as string[]), ...targets])]
    const { whole } = durations(switches)
    db.run(
      'UPDATE video_audience SET pushed_to = ?, push_status = 1, status = ?, push_due = ?, changed_at = ? WHERE no = ?',
      ...[JSON.stringify(pushed), PUSHING, clock.now() + whole, clock.now(), audience.no],
    )
    return fine({})
  }

  function remove(context: Context): Answer {
    const audience = ownAudience(context, advertiser(context))
    if (audience.used_by) throw wrong(`人群包${audience.name}正在被计划使用，请先删除计划`)
    db.run(
      `UPDATE video_audience SET is_deleted = 1, status = ?, delivery_status = ?, publish_due = NULL, push_due = NULL,
         changed_at = ? WHERE no = ?`,
      ...[DELETED, DELIVERY.unavailable, clock.now(), audience.no],
    )
    return fine({ custom_audience_id: BigInt(audience.id) })
  }

  const DMP = '/open_api/2/dmp'
  return {
    [`POST ${DMP}/data_source/file/upload/`]: { scopes: WRITE, takes: 'multipart', act: upload },
    [`POST ${DMP}/data_source/create/`]: { scopes: WRITE, takes: 'json', act: create },
    [`POST ${DMP}/data_source/update/`]: { scopes: WRITE, takes: 'json', act: update },
    [`GET ${DMP}/data_source/read/`]: { scopes: READ, takes: 'query', act: readSources },
    [`GET ${DMP}/custom_audience/select/`]: { scopes: READ, takes: 'query', act: select },
    [`GET ${DMP}/custom_audience/read/`]: { scopes: READ, takes: 'query', act: readAudiences },
    [`POST ${DMP}/custom_audience/publish/`]: { scopes: WRITE, takes: 'json', act: publish },
    [`POST ${DMP}/custom_audience/push_v2/`]: { scopes: WRITE, takes: 'json', act: push },
    [`POST ${DMP}/custom_audience/delete/`]: { scopes: WRITE, takes: 'json', act: remove },
  }
}
