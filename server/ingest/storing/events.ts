import { quote } from '../../clickhouse/bind.ts'

export const storeEventsSql = (stage: string, rows: string, adv_id: number, import_id: number, uid: string) =>
  `INSERT INTO ${stage} (adv_id, bucket, uid, ts, name, title, properties, campaign_id, row_id, import_id)
   SELECT ${adv_id}, bitShiftRight(uid, 20), ${uid} AS uid, fromUnixTimestamp64Milli(ts, 'UTC'), name, title, properties,
     properties['campaign_id'], row_id, ${import_id} FROM ${rows}`

/** Rows that repeat stored ones, whole: only ids must be equal. */
export const storeEventRepeatsSql = (
  stage: string,
  repeats: string,
  at: { adv_id: number; import_id: number; nowMs: number },
) =>
  `INSERT INTO ${stage} (adv_id, one_id, ts, name, title, properties, row_id, at, import_id)
   SELECT ${at.adv_id}, one_id, fromUnixTimestamp64Milli(ts, 'UTC'), name, title, properties, row_id,
     fromUnixTimestamp64Milli(toInt64(${at.nowMs}), 'UTC'), ${at.import_id} FROM ${repeats}`

/** The rollup of the whole stage by person, event and day. */
export const storeDaysSql = (stage: string, from: string, timezone: string) =>
  `INSERT INTO ${stage} (adv_id, name, day, bucket, uid, import_id, n)
   SELECT adv_id, name, toDate(ts, ${quote(timezone)}), bucket, uid, import_id, 1 FROM ${from}`
