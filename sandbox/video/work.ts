import { existsSync, readFileSync, rmSync } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'
import { BrokenArchive, entriesOf, isZip } from '../archive.ts'
import type { Parts } from '../parts.ts'
import { changeSet } from '../value-set.ts'
import type { Work } from '../work.ts'
import { BadLine, DATA_TYPES, decodeLine, type IdItem } from './dmp-data.ts'
import {
  audienceId,
  type Change,
  DELIVERY,
  EFFECTIVE,
  FILE_DAYS,
  nextNo,
  PUSHED,
  type Source,
  type Upload,
  type VideoAudience,
} from './sources.ts'

class BadFile extends Error {}

/** Parses data sources, and carries out publications and pushes. */
export function videoWork({ db, clock, switches }: Parts): Work {
  const sourceOf = (id: string) => db.one<Source>('SELECT * FROM video_source WHERE id = ?', id)
  const audienceOf = (source_id: string) =>
    db.one<VideoAudience>('SELECT * FROM video_audience WHERE source_id = ?', source_id)

  /** The decoded and checked lines of all files of a change. */
  async function* itemsOf(change: Change, type: string): AsyncGenerator<IdItem[]> {
    for (const file_path of JSON.parse(change.file_paths) as string[]) {
      const upload = db.one<Upload>('SELECT * FROM video_upload WHERE file_path = ?', file_path)
      if (!upload || !existsSync(upload.path)) throw new BadFile(`文件不存在: ${file_path}`)
      const content = readFileSync(upload.path)
      if (!isZip(content)) throw new BadFile('不是zip文件')
      for await (const entry of entriesOf(content)) yield* linesOf(entry.name, entry.content, type)
    }
  }

  /** Lines are base64, so all allowed encodings are ASCII. */
  function* linesOf(name: string, content: Buffer, type: string): Generator<IdItem[]> {
    let start = 0
    let line = 0
    while (start < content.length) {
      line++
      const end = content.indexOf(10, start)
      if (end < 0) throw new BadFile(`${name} 第${line}行: 行末缺少换行`)
      const stop = content[end - 1] === 13 ? end - 1 : end
      try {
        yield decodeLine(content.toString('latin1', start, stop), type)
      } catch (error) {
        throw error instanceof BadLine ? new BadFile(`${name} 第${line}行: ${error.message}`) : error
      }
      start = end + 1
    }
    if (line === 0) throw new BadFile(`${name}: 空文件`)
  }

  /** Checks everything before anything is applied. */
  async function read(change: Change, source: Source): Promise<IdItem[][]> {
    const lines: IdItem[][] = []
    for await (const items of itemsOf(change, source.type)) {
      lines.push(items)
      if (lines.length % 5 === 0) await breathe()
    }
    if (lines.length === 0) throw new BadFile('压缩包中没有文件')
    return lines
  }

  /** The half of the lines that is taken; of a single line, half of its ids. */
  const halfOf = (lines: IdItem[][]) => {
    const [first = []] = lines
    return lines.length === 1 ? [first.slice(0, Math.floor(first.length / 2))] : lines.slice(0, lines.length / 2)
  }

  async function storeChange(change: Change, isStopped: () => boolean): Promise<boolean> {
    const source = sourceOf(change.source_id)
    if (!source) return false
    let lines: IdItem[][]
    try {
      lines = await read(change, source)
    } catch (error) {
      if (!(error instanceof BadFile || error instanceof BrokenArchive)) throw error
      finish(change, source, 0, `文件解析失败: ${error.message}`)
      return true
    }
    const isHalf = change.is_half === 1
    const taken = isHalf ? halfOf(lines) : lines
    if (change.action === 3) db.run('DELETE FROM video_value WHERE source = ?', source.no)
    const byKind = new Map<number, string[]>()
    for (const { dataType, id } of taken.flat()) {
      const values = byKind.get(dataType)
      if (values) values.push(id)
      else byKind.set(dataType, [id])
    }
    for (const [dataType, values] of byKind) {
      const part = { owner: source.no, kind: DATA_TYPES[dataType]?.name ?? '', values, isRemoval: change.action === 2 }
      if (!(await changeSet(db, 'video', part, isStopped))) return false
    }
    const isCut = isHalf && switches.now.half_accept_as === 'error'
    const kind = lines[0]?.[0]?.dataType ?? 0
    finish(change, source, kind, isCut ? `系统异常，只处理了${taken.length}行，请重新上传` : null)
    return true
  }

  function finish(change: Change, source: Source, kind: number, fault: string | null) {
    db.together(() => {
      const at = clock.now()
      db.run(
        'UPDATE video_change SET status = ?, message = ?, changed_at = ? WHERE id = ?',
        ...[fault === null ? 2 : 3, fault ?? '', at, change.id],
      )
      db.run('UPDATE video_source SET status = 2, changed_at = ? WHERE no = ?', at, source.no)
      const upload_num = db.number('SELECT count(*) FROM video_value WHERE source = ?', source.no)
      const cover_num = Math.floor((upload_num * switches.now.coverage_percent) / 100)
      const audience = audienceOf(source.id)
      if (audience) {
        const delivery = fault === null ? DELIVERY.needPublish : audience.delivery_status
        const status = fault === null ? EFFECTIVE : audience.status
        db.run(
          `UPDATE video_audience SET status = ?, delivery_status = ?, upload_num = ?, cover_num = ?, changed_at = ?
           WHERE no = ? AND NOT is_deleted`,
          ...[status, delivery, upload_num, cover_num, at, audience.no],
        )
      } else if (fault === null) {
        const no = nextNo(db, 'video_audience')
        db.run(
          `INSERT INTO video_audience (no, id, source_id, account_id, name, status, delivery_status, push_status,
             custom_type, cover_num, upload_num, made_at, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?)`,
          ...[no, audienceId(no), source.id, source.account_id, source.name, EFFECTIVE, DELIVERY.needPublish],
          ...[DATA_TYPES[kind]?.customType ?? 0, cover_num, upload_num, at, at],
        )
      }
    })
  }

  function endPublications(now: number) {
    const due = db.all<VideoAudience>('SELECT * FROM video_audience WHERE publish_due <= ? AND NOT is_deleted', now)
    for (const audience of due) {
      db.together(() => {
        // Changes applied after the publication was requested wait for the next one.
        db.run(
          `UPDATE video_change SET published_at = ?
           WHERE source_id = ? AND status = 2 AND published_at IS NULL AND changed_at <= ?`,
          ...[now, audience.source_id, audience.published_at],
        )
        const left = db.number(
          'SELECT count(*) FROM video_change WHERE source_id = ? AND status = 2 AND published_at IS NULL',
          audience.source_id,
        )
        const isPushed = audience.push_status === 2
        const delivery = left > 0 ? DELIVERY.needPublish : isPushed ? DELIVERY.available : DELIVERY.needPush
        db.run(
          'UPDATE video_audience SET publish_due = NULL, delivery_status = ?, status = ?, changed_at = ? WHERE no = ?',
          ...[delivery, isPushed && left === 0 ? PUSHED : EFFECTIVE, now, audience.no],
        )
      })
    }
  }

  return {
    tick(now) {
      const begun = db.all<Change>('SELECT * FROM video_change WHERE status = 0 AND begins_at <= ?', now)
      for (const { id, source_id } of begun) {
        db.run('UPDATE video_change SET status = 1, changed_at = ? WHERE id = ?', now, id)
        db.run('UPDATE video_source SET status = 1 WHERE id = ?', source_id)
      }
      endPublications(now)
      db.run(
        `UPDATE video_audience SET push_due = NULL, push_status = 2, changed_at = ?1,
           status = CASE delivery_status WHEN ?2 THEN status ELSE ?3 END,
           delivery_status = CASE delivery_status WHEN ?2 THEN ?2 ELSE ?4 END
         WHERE push_due <= ?1 AND NOT is_deleted`,
        ...[now, DELIVERY.needPublish, PUSHED, DELIVERY.available],
      )
      const old = db.all<Upload>('SELECT * FROM video_upload WHERE made_at < ?', now - (FILE_DAYS + 1) * 86_400)
      for (const { file_path, path } of old) {
        rmSync(path, { force: true })
        db.run('DELETE FROM video_upload WHERE file_path = ?', file_path)
      }
    },
    async takeOne(now, isStopped) {
      const change = db.one<Change>(
        'SELECT * FROM video_change WHERE status = 1 AND due_at <= ? ORDER BY due_at, id LIMIT 1',
        now,
      )
      return change !== undefined && storeChange(change, isStopped)
    },
    nextDue: () =>
      db.one<{ due: number | null }>(
        `SELECT min(due) AS due FROM (
           SELECT min(CASE status WHEN 0 THEN begins_at ELSE due_at END) AS due FROM video_change WHERE status IN (0, 1)
           UNION ALL SELECT min(publish_due) FROM video_audience WHERE NOT is_deleted
           UNION ALL SELECT min(push_due) FROM video_audience WHERE NOT is_deleted)`,
      )?.due ?? null,
  }
}
