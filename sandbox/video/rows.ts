import { timeText } from '../clock.ts'
import type { Database } from '../database.ts'
import type { Change, Source, VideoAudience } from './sources.ts'

const API_TAG = 'API文件数据源'
const UPLOADED = 4
const THIRD_PARTY = 'NOT_THIRD_PARTY'

const common = (audience: VideoAudience) => ({
  custom_audience_id: BigInt(audience.id),
  name: audience.name,
  status: audience.status,
  delivery_status: audience.delivery_status,
  cover_num: audience.cover_num,
  upload_num: audience.upload_num,
  data_source_id: audience.source_id,
  tag: API_TAG,
  isdel: audience.is_deleted,
})

const times = ({ made_at, changed_at }: VideoAudience) => ({
  create_time: timeText(made_at),
  modify_time: timeText(changed_at),
})

/** An audience in a list, with fewer fields than when read singly. */
export const selectRow = (audience: VideoAudience) => ({
  ...common(audience),
  source: 'CUSTOM_AUDIENCE_TYPE_DATA_SOURCE',
})

/** An audience in `custom_audience/read`, which returns more fields. */
export const readRow = (audience: VideoAudience) => ({
  ...selectRow(audience),
  ...times(audience),
  push_status: audience.push_status,
  third_party_info: THIRD_PARTY,
  exist_pull_off_tag: 0,
})

const defaultAudience = (audience: VideoAudience) => ({
  ...common(audience),
  ...times(audience),
  source: UPLOADED,
  push_status: audience.push_status,
  expiry_date: timeText(audience.changed_at + 90 * 86_400),
  custom_type: audience.custom_type,
  third_party_info: THIRD_PARTY,
  calculate_type: 0,
  calculate_sub_type: 0,
})

const changeRow = (change: Change) => ({
  change_log_id: change.id,
  action: change.action,
  file_paths: JSON.parse(change.file_paths),
  status: change.status,
  message: change.message,
  create_time: timeText(change.made_at),
  modify_time: timeText(change.changed_at),
  published_time: change.published_at === null ? '' : timeText(change.published_at),
})

/** A data source in `data_source/read`, with its changes, newest first. */
export function sourceRow(db: Database, source: Source) {
  const audience = db.one<VideoAudience>('SELECT * FROM video_audience WHERE source_id = ?', source.id)
  const changes = db.all<Change>('SELECT * FROM video_change WHERE source_id = ? ORDER BY id DESC', source.id)
  const published = changes.find(({ published_at }) => published_at !== null)
  return {
    name: source.name,
    data_source_id: source.id,
    description: source.description,
    status: source.status,
    cover_num: audience?.cover_num ?? 0,
    upload_num: audience?.upload_num ?? 0,
    create_time: timeText(source.made_at),
    modify_time: timeText(source.changed_at),
    data_source_type: source.type,
    lastest_published_change_log_id: published?.id ?? -1,
    lastest_published_time: published?.published_at ? timeText(published.published_at) : '',
    change_logs: changes.map(changeRow),
    ...(audience ? { default_audience: defaultAudience(audience) } : {}),
  }
}
