import { type Definition, type Frame, idsSql } from './frame.ts'

/** All people of the advertiser, for each of the tags. */
export const everyoneSelect = ({ adv_id }: Frame, tags: readonly Definition[]) =>
  `SELECT arrayJoin(${idsSql(tags)}) AS tag_id, bucket, bitmap FROM (
     SELECT toUInt16(bitShiftRight(uid, 20)) AS bucket, groupBitmapState(uid) AS bitmap
     FROM person_key WHERE adv_id = ${adv_id} GROUP BY bucket)`

/** For each of the tags, everyone whom the `selects` of the same tags leave out. */
export const othersSelect = (frame: Frame, tags: readonly Definition[], selects: readonly string[]) =>
  `SELECT tag_id, bucket, bitmapAndnot(groupBitmapMergeStateIf(part, all), groupBitmapMergeStateIf(part, NOT all)) AS bitmap
    FROM (
      SELECT tag_id, bucket, bitmap AS part, true AS all FROM (${everyoneSelect(frame, tags)})
      ${selects.map((sql) => `UNION ALL SELECT tag_id, bucket, bitmap, false FROM (${sql})`).join('\n')}
    ) GROUP BY tag_id, bucket HAVING bitmapCardinality(bitmap) > 0`
