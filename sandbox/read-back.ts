import type { Database } from './database.ts'
import type { PlatformName } from './people.ts'

/** Audiences of an account: there now, and ever made. */
export function made(db: Database, platform: PlatformName, account_id: string) {
  const table = platform === 'social' ? 'social_audience' : 'video_source'
  const live =
    platform === 'social'
      ? db.number('SELECT count(*) FROM social_audience WHERE account_id = ? AND NOT is_deleted', account_id)
      : db.number('SELECT count(*) FROM video_audience WHERE account_id = ? AND NOT is_deleted', account_id)
  return { live, ever_made: db.number(`SELECT count(*) FROM ${table} WHERE account_id = ?`, account_id) }
}

const yes = (value: unknown) => value === 1

/** Every audience ever made, deleted ones too, with the number of values it holds. */
export function audiencesOf(db: Database, platform: PlatformName, account_id: string | null) {
  const which = account_id === null ? '' : 'WHERE a.account_id = ?'
  const given = account_id === null ? [] : [account_id]
  if (platform === 'social') {
    const rows = db.all(
      `SELECT a.*, (SELECT count(*) FROM social_value v WHERE v.audience = a.no) AS size,
              (SELECT count(*) FROM social_file f WHERE f.audience_id = a.id) AS parts
       FROM social_audience a ${which} ORDER BY a.no`,
      ...given,
    )
    return rows.map(({ is_deleted, ...row }) => ({ ...row, is_deleted: yes(is_deleted) }))
  }
  const rows = db.all(
    `SELECT a.id AS source_id, a.account_id, a.name, a.description, a.type, a.status AS source_status, a.made_at,
            b.id, b.status, b.delivery_status, b.push_status, b.cover_num, b.upload_num, b.published_at, b.pushed_to,
            b.used_by, coalesce(b.is_deleted, 0) AS is_deleted,
            (SELECT count(*) FROM video_value v WHERE v.source = a.no) AS size,
            (SELECT count(*) FROM video_change c WHERE c.source_id = a.id) AS parts
     FROM video_source a LEFT JOIN video_audience b ON b.source_id = a.id ${which} ORDER BY a.no`,
    ...given,
  )
  return rows.map(({ is_deleted, pushed_to, ...row }) => ({
    ...row,
    pushed_to: JSON.parse(String(pushed_to ?? '[]')),
    is_deleted: yes(is_deleted),
  }))
}

/** The exact set of values, in order. `audience_id` may be a video data source's id as well. */
export function valuesOf(db: Database, platform: PlatformName, audience_id: string) {
  const rows =
    platform === 'social'
      ? db.all(
          `SELECT kind, value FROM social_value WHERE audience = (SELECT no FROM social_audience WHERE id = ?)
           ORDER BY value, kind`,
          audience_id,
        )
      : db.all(
          `SELECT kind, value FROM video_value WHERE source = (
             SELECT s.no FROM video_source s LEFT JOIN video_audience a ON a.source_id = s.id
             WHERE a.id = ?1 OR s.id = ?1) ORDER BY value, kind`,
          audience_id,
        )
  return { kinds: [...new Set(rows.map(({ kind }) => kind))], values: rows.map(({ value }) => value) }
}

/** What was received: social files, or the video engine's changes of a source. */
export function partsOf(db: Database, platform: PlatformName, account_id: string | null, audience_id: string | null) {
  if (platform === 'social') {
    return db.all(
      'SELECT * FROM social_file WHERE (?1 IS NULL OR account_id = ?1) AND (?2 IS NULL OR audience_id = ?2) ORDER BY no',
      ...[account_id, audience_id],
    )
  }
  return db.all(
    `SELECT c.*, s.account_id FROM video_change c JOIN video_source s ON s.id = c.source_id
     LEFT JOIN video_audience a ON a.source_id = s.id
     WHERE (?1 IS NULL OR s.account_id = ?1) AND (?2 IS NULL OR a.id = ?2 OR s.id = ?2) ORDER BY c.id`,
    ...[account_id, audience_id],
  )
}

export interface ShownAudience {
  platform: PlatformName
  id: string | null
  account_id: string
  name: string
  status: string
  size: number
}

/** The latest audiences of both sides, for people; a data source that is not parsed yet has no id. */
export const latestAudiences = (db: Database, most: number) =>
  db.all<ShownAudience>(
    `SELECT platform, id, account_id, name, status, size FROM (
       SELECT * FROM (
         SELECT 'social' AS platform, id, account_id, name, made_at,
                CASE is_deleted WHEN 1 THEN '已删除' ELSE status END AS status,
                (SELECT count(*) FROM social_value v WHERE v.audience = a.no) AS size
         FROM social_audience a ORDER BY no DESC LIMIT ?1)
       UNION ALL SELECT * FROM (
         SELECT 'video', b.id, s.account_id, s.name, s.made_at,
                CASE WHEN b.is_deleted THEN '已删除' WHEN b.id IS NULL THEN '数据源 ' || s.status
                     ELSE b.status || ' ' || replace(b.delivery_status, 'CUSTOM_AUDIENCE_DELIVERY_STATUS_', '') END,
                (SELECT count(*) FROM video_value v WHERE v.source = s.no)
         FROM video_source s LEFT JOIN video_audience b ON b.source_id = s.id ORDER BY s.no DESC LIMIT ?1))
     ORDER BY made_at DESC`,
    most,
  )
