import { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { PLATFORMS } from '#contract/platform.ts'
import type { AudienceState } from '../audience-platform.ts'
import { PlatformFault } from '../audience-platform.ts'
import { WireCount, WireId } from '../lossless-json.ts'
import { platformTime } from '../platform-day.ts'

const { publishEvery } = PLATFORMS.video.audiences.limits

const DELIVERY = 'CUSTOM_AUDIENCE_DELIVERY_STATUS_'

export const AudienceRow = z.object({
  custom_audience_id: WireId,
  name: z.string().nullish(),
  status: WireCount,
  delivery_status: z.string().nullish(),
  /** 0 not pushed, 1 pushing, 2 pushed, 3 failed; not in `select`. */
  push_status: WireCount.nullish(),
  cover_num: WireCount.nullish(),
  upload_num: WireCount.nullish(),
  data_source_id: WireId.nullish(),
  isdel: WireCount.nullish(),
})
export type AudienceRow = z.infer<typeof AudienceRow>

const ChangeLog = z.object({
  change_log_id: z.union([WireId, z.number()]).transform(String),
  /** 0 create, 1 add, 2 delete, 3 reset. */
  action: WireCount,
  file_paths: z.array(z.string()).nullish(),
  /** 0 new, 1 processing, 2 effective, 3 failed. */
  status: WireCount,
  message: z.string().nullish(),
  published_time: z.string().nullish(),
})
export type ChangeLog = z.infer<typeof ChangeLog>

export const SourceRow = z.object({
  data_source_id: WireId,
  description: z.string().nullish(),
  /** 0 created, 1 parsing, 2 done. */
  status: WireCount,
  // Spelled as the platform spells it.
  lastest_published_change_log_id: z.union([z.number(), z.string()]).transform(String).nullish(),
  lastest_published_time: z.string().nullish(),
  change_logs: z
    .array(ChangeLog)
    .nullish()
    .transform((logs) => logs ?? []),
  /** Absent until the files are parsed. */
  default_audience: AudienceRow.nullish(),
})
export type SourceRow = z.infer<typeof SourceRow>

export const SourceList = z.object({ data_list: z.array(SourceRow).default([]) })
export const AudienceList = z.object({
  custom_audience_list: z.array(AudienceRow).default([]),
  total_num: WireCount.optional(),
})

const EFFECTIVE = new Set([2, 10, 14, 15])
const FAILED: Record<number, AnyOutcome> = {
  3: outcome('platform_check_failed'),
  4: outcome('platform_covers_too_few'),
  7: outcome('platform_expansion_failed'),
  9: outcome('platform_compute_failed', { code: null }),
}
const DELETED = new Set([22, 23])
const EXPIRED = new Set([11, 25, 26])
const FROZEN: Record<number, AnyOutcome> = { 24: outcome('platform_tag_withdrawn') }

export const isDeleted = (row: Pick<AudienceRow, 'isdel'> & { status?: number | null | undefined }): boolean =>
  row.isdel === 1 || (row.status != null && DELETED.has(row.status))

/** Whether plans can use it now. */
export const isAvailable = (row: Pick<AudienceRow, 'delivery_status'>): boolean =>
  row.delivery_status === `${DELIVERY}AVAILABLE`

const isOpen = (log: ChangeLog) => log.status === 0 || log.status === 1

/** Whether a change was applied to the data but is not yet published. */
function isUnpublished(source: SourceRow): boolean {
  const latest = source.lastest_published_change_log_id ?? '-1'
  // The source shows no publication, so only the delivery status tells.
  if (!/^\d+$/.test(latest)) return false
  return source.change_logs.some((log) => log.status === 2 && BigInt(log.change_log_id) > BigInt(latest))
}

/** A source and its audience as our state. */
export function videoState(source: SourceRow, now: number): AudienceState {
  const audience = source.default_audience
  const state: AudienceState = {
    status: 'computing',
    reason: null,
    accepted: null,
    covered: null,
    pending: null,
    not_before: null,
  }
  const isParsing = source.change_logs.some(isOpen)
  const failure = isParsing ? null : failureOf(source)
  if (!audience) {
    if (failure !== null) return { ...state, status: 'failed', reason: failure }
    return { ...state, reason: outcome('platform_parsing') }
  }
  if (isDeleted(audience)) throw new PlatformFault('gone', outcome('platform_audience_deleted'))

  state.accepted = audience.upload_num ?? null
  const { status } = audience
  const failed = FAILED[status]
  if (failed) return { ...state, status: 'failed', reason: failure ?? failed }
  if (EXPIRED.has(status)) return { ...state, status: 'expired', reason: outcome('platform_voided_unused') }
  if (FROZEN[status]) return { ...state, status: 'frozen', reason: FROZEN[status] }
  if (!EFFECTIVE.has(status)) return { ...state, reason: outcome('platform_computing') }

  state.covered = audience.cover_num ?? null
  const delivery = (audience.delivery_status ?? '').replace(DELIVERY, '')
  // An earlier version of it may be in use while a newer one waits.
  const isUsable = delivery === 'AVAILABLE' || audience.push_status === 2
  state.status = isUsable && !isParsing ? 'available' : 'computing'
  if (isParsing) return { ...state, reason: outcome('platform_parsing') }
  if (delivery === 'NEED_PUBLISH' || isUnpublished(source)) {
    const published = platformTime(source.lastest_published_time)
    const allowed = published === null ? null : published + publishEvery
    state.pending = 'publish'
    state.not_before = allowed !== null && allowed > now ? allowed : null
    state.reason = outcome('platform_waits_to_publish')
  } else if (audience.push_status === 1) {
    state.reason = outcome('platform_pushing')
  } else if (delivery === 'NEED_PUSH') {
    state.pending = 'push'
    state.reason = outcome(audience.push_status === 3 ? 'platform_push_failed' : 'platform_waits_to_push')
  } else if (!isUsable) {
    state.reason = outcome('platform_not_deliverable')
  }
  if (failure !== null) state.reason = failure
  return state
}

const unparsed = ({ message }: ChangeLog) =>
  message ? outcome('platform_refused', { text: message }) : outcome('platform_file_unparsed')

/** Why the newest change failed; null if it did not. */
function failureOf({ change_logs }: SourceRow): AnyOutcome | null {
  const newest = newestFirst(change_logs)[0]
  return newest?.status === 3 ? unparsed(newest) : null
}

const newestFirst = (logs: readonly ChangeLog[]): ChangeLog[] =>
  logs.toSorted((one, other) => Number(BigInt(other.change_log_id) - BigInt(one.change_log_id)))

/** The state of the change that applied a file. */
export function changeOf(source: SourceRow, file_path: string): 'waiting' | 'done' | { failed: AnyOutcome } {
  const logs = newestFirst(source.change_logs)
  const log = logs.find(({ file_paths }) => file_paths?.includes(file_path))
  // If the platform's log names no files, only the whole log can be waited for.
  const named = logs.some(({ file_paths }) => file_paths?.length)
  const [at] = log ? [log] : named || logs.some(isOpen) ? [] : logs
  if (!at || isOpen(at)) return 'waiting'
  return at.status === 2 ? 'done' : { failed: unparsed(at) }
}
