import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isZip } from '../archive.ts'
import { dayOf } from '../clock.ts'
import type { Parts } from '../parts.ts'
import type { Answer } from '../wire.ts'
import { durations } from '../work.ts'
import { advertiserFor, type Context, DMP, DMP_READ, DMP_WRITE, type Interface } from './access.ts'
import { badRequest, success } from './envelope.ts'
import { sourceRow } from './rows.ts'
import { FILE_DAYS, type Source, type Upload } from './sources.ts'

const FILE_BYTES = 50 * 2 ** 20
const MOST_ID = 2n ** 63n - 1n

/** Uploads and data sources. */
export function sourceCalls({ db, clock, switches }: Parts): Record<string, Interface> {
  const advertiser = ({ token, given }: Context) => advertiserFor(token, given.id('advertiser_id'))

  function upload({ token, form }: Context): Answer {
    const text = form.text('advertiser_id')
    if (text === undefined) throw badRequest('advertiser_id: 缺少必填参数')
    if (!/^[1-9]\d{0,18}$/.test(text) || BigInt(text) > MOST_ID) throw badRequest('advertiser_id: 应为整数')
    const account_id = advertiserFor(token, text)
    const file = form.file('file')
    if (!file) throw badRequest('file: 缺少必填参数')
    const signature = form.text('file_signature')
    if (file.content.length > FILE_BYTES) throw badRequest('file: 文件不能超过50MB')
    if (!/\.zip$/i.test(file.name) || !isZip(file.content)) throw badRequest('file: 应为zip文件')
    if (signature !== undefined && signature !== createHash('md5').update(file.content).digest('hex')) {
      throw badRequest('file_signature: 与文件的MD5不一致')
    }
    const file_path = `dmp/${dayOf(clock.now())}/${randomBytes(16).toString('hex')}`
    const path = join(db.files, `${randomBytes(12).toString('hex')}.zip`)
    writeFileSync(path, file.content, { mode: 0o600 })
    db.run(
      'INSERT INTO video_upload VALUES (?, ?, ?, ?, ?)',
      ...[file_path, account_id, path, file.content.length, clock.now()],
    )
    return success({ file_path })
  }

  function checkFiles(account_id: string, paths: readonly string[]) {
    for (const path of paths) {
      const found = db.one<Upload>(
        'SELECT * FROM video_upload WHERE file_path = ? AND account_id = ?',
        path,
        account_id,
      )
      if (!found) throw badRequest(`file_paths: 文件不存在: ${path}`)
      if (clock.now() - found.made_at > FILE_DAYS * 86_400) throw badRequest(`file_paths: 文件已过期: ${path}`)
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
      throw badRequest(`数据源名称已存在: ${name}`)
    }
    if (db.number(`SELECT count(*) FROM video_source WHERE ${LIVE}`, account_id) >= now.video_audiences) {
      throw badRequest(`人群数量已达上限${now.video_audiences}`)
    }
    const today = dayOf(clock.now())
    const madeToday = db
      .all<Source>('SELECT * FROM video_source WHERE account_id = ?', account_id)
      .filter(({ made_at }) => dayOf(made_at) === today).length
    if (madeToday >= now.video_sources_per_day) throw badRequest(`每天最多创建${now.video_sources_per_day}个数据源`)
    const id = randomBytes(16).toString('hex')
    const at = clock.now()
    db.run(
      `INSERT INTO video_source (id, account_id, name, description, type, status, made_at, changed_at)
       VALUES (?, ?, ?, ?, ?, 0, ?, ?)`,
      ...[id, account_id, name, description, type, at, at],
    )
    addChange(id, 0, paths)
    return success({ data_source_id: id })
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
    if (!source) throw badRequest(`data_source_id: 数据源不存在: ${id}`)
    const deleted = db.number('SELECT count(*) FROM video_audience WHERE source_id = ? AND is_deleted', id)
    if (deleted > 0) throw badRequest('数据源对应的人群已被删除')
    checkFiles(account_id, paths)
    addChange(id, action, paths)
    return success({})
  }

  function readSources(context: Context): Answer {
    const account_id = advertiser(context)
    const wanted = context.given.texts('data_source_id_list', 400)
    const found = wanted.flatMap(
      (id) => db.one<Source>('SELECT * FROM video_source WHERE id = ? AND account_id = ?', id, account_id) ?? [],
    )
    const newest = [...new Map(found.map((one) => [one.no, one])).values()].sort((a, b) => b.no - a.no)
    return success({ data_list: newest.map((source) => sourceRow(db, source)) })
  }

  return {
    [`POST ${DMP}/data_source/file/upload/`]: { scopes: DMP_WRITE, takes: 'multipart', act: upload },
    [`POST ${DMP}/data_source/create/`]: { scopes: DMP_WRITE, takes: 'json', act: create },
    [`POST ${DMP}/data_source/update/`]: { scopes: DMP_WRITE, takes: 'json', act: update },
    [`GET ${DMP}/data_source/read/`]: { scopes: DMP_READ, takes: 'query', act: readSources },
  }
}
