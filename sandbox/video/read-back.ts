import type { Database } from '../database.ts'
import type { ReadBack } from '../read-back.ts'

/** Data sources with their audiences, values and changes. A source's id can be given instead of its audience's. */
export const videoReadBack = (db: Database): ReadBack => ({
  made: (account_id) => ({
    live: db.number('SELECT count(*) FROM video_audience WHERE account_id = ? AND NOT is_deleted', account_id),
    ever_made: db.number('SELECT count(*) FROM video_source WHERE account_id = ?', account_id),
  }),
  audiences: (account_id) =>
    db
      .all(
        `SELECT a.id AS source_id, a.account_id, a.name, a.description, a.type, a.status AS source_status, a.made_at,
                b.id, b.status, b.delivery_status, b.push_status, b.cover_num, b.upload_num, b.published_at, b.pushed_to,
                b.used_by, coalesce(b.is_deleted, 0) AS is_deleted,
                (SELECT count(*) FROM video_value v WHERE v.source = a.no) AS size,
                (SELECT count(*) FROM video_change c WHERE c.source_id = a.id) AS parts
         FROM video_source a LEFT JOIN video_audience b ON b.source_id = a.id
         WHERE ?1 IS NULL OR a.account_id = ?1 ORDER BY a.no`,
        account_id,
      )
      .map(({ is_deleted, pushed_to, ...row }) => ({
        ...row,
        pushed_to: JSON.parse(String(pushed_to ?? '[]')),
        is_deleted: is_deleted === 1,
      })),
  values: (audience_id) =>
    db.all(
      `SELECT kind, value FROM video_value WHERE source = (
         SELECT s.no FROM video_source s LEFT JOIN video_audience a ON a.source_id = s.id
         WHERE a.id = ?1 OR s.id = ?1) ORDER BY value, kind`,
      audience_id,
    ),
  parts: (account_id, audience_id) =>
    db.all(
      `SELECT c.*, s.account_id FROM video_change c JOIN video_source s ON s.id = c.source_id
       LEFT JOIN video_audience a ON a.source_id = s.id
       WHERE (?1 IS NULL OR s.account_id = ?1) AND (?2 IS NULL OR a.id = ?2 OR s.id = ?2) ORDER BY c.id`,
      account_id,
      audience_id,
    ),
  latest: (most) =>
    db.all(
      `SELECT b.id, s.account_id, s.name, s.made_at,
              CASE WHEN b.is_deleted THEN '已删除' WHEN b.id IS NULL THEN '数据源 ' || s.status
                   ELSE b.status || ' ' || replace(b.delivery_status, 'CUSTOM_AUDIENCE_DELIVERY_STATUS_', '') END AS status,
              (SELECT count(*) FROM video_value v WHERE v.source = s.no) AS size
       FROM video_source s LEFT JOIN video_audience b ON b.source_id = s.id ORDER BY s.no DESC LIMIT ?`,
      most,
    ),
})
