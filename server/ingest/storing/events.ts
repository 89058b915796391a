import { quote } from '../../clickhouse/bind.ts'

export const storeEventsSql = (stage: string, rows: string, adv_id: number, import_id: number, uid: string) =>
  `INSERT INTO ${stage} (adv_id, bucket, uid, ts, name, title, properties, campaign_id, row_id, import_id)
   SELECT ${adv_id}, bitShiftRight(uid, 20), ${uid} AS uid, fromUnixTimestamp64Milli(ts, 'UTC'), name, title, properties,
     '', row_id, ${import_id} FROM ${rows}`

/** The rollup of the whole stage by person, event and day. */
export const storeDaysSql = (stage: string, from: string, timezone: string) =>
  `INSERT INTO ${stage} (adv_id, name, day, bucket, uid, import_id, n)
   SELECT adv_id, name, toDate(ts, ${quote(timezone)}), bucket, uid, import_id, 1 FROM ${from}`
