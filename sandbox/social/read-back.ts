import type { Database } from '../database.ts'
import type { ReadBack } from '../read-back.ts'

/** Audiences, their values and their files. */
export const socialReadBack = (db: Database): ReadBack => ({
  made: (account_id) => ({
    live: db.number('SELECT count(*) FROM social_audience WHERE account_id = ? AND NOT is_deleted', account_id),
    ever_made: db.number('SELECT count(*) FROM social_audience WHERE account_id = ?', account_id),
  }),
  audiences: (account_id) =>
    db
      .all(
        `SELECT a.*, (SELECT count(*) FROM social_value v WHERE v.audience = a.no) AS size,
                (SELECT count(*) FROM social_file f WHERE f.audience_id = a.id) AS parts
         FROM social_audience a WHERE ?1 IS NULL OR a.account_id = ?1 ORDER BY a.no`,
        account_id,
      )
      .map((row) => ({ ...row, is_deleted: row.is_deleted === 1 })),
  values: (audience_id) =>
    db.all(
      `SELECT kind, value FROM social_value WHERE audience = (SELECT no FROM social_audience WHERE id = ?)
       ORDER BY value, kind`,
      audience_id,
    ),
  parts: (account_id, audience_id) =>
    db.all(
      'SELECT * FROM social_file WHERE (?1 IS NULL OR account_id = ?1) AND (?2 IS NULL OR audience_id = ?2) ORDER BY no',
      account_id,
      audience_id,
    ),
  latest: (most) =>
    db.all(
      `SELECT id, account_id, name, made_at, CASE is_deleted WHEN 1 THEN '已删除' ELSE status END AS status,
              (SELECT count(*) FROM social_value v WHERE v.audience = a.no) AS size
       FROM social_audience a ORDER BY no DESC LIMIT ?`,
      most,
    ),
})
