import { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { AudienceState } from '../audience-platform.ts'
import { WireCount, WireId } from '../lossless-json.ts'

const PageInfo = z.object({ total_number: WireCount, total_page: WireCount })

export const AudienceRow = z.object({
  audience_id: WireId,
  name: z.string().nullish(),
  outer_audience_id: z.string().nullish(),
  status: z.string(),
  online_status: z.string().nullish(),
  is_own: z.boolean().nullish(),
  error_code: WireCount.nullish(),
  user_count: WireCount.nullish(),
})
export type AudienceRow = z.infer<typeof AudienceRow>
export const AudiencePage = z.object({ list: z.array(AudienceRow), page_info: PageInfo.optional() })

export const FileRow = z.object({
  custom_audience_file_id: WireId,
  name: z.string().nullish(),
  operation_type: z.string().nullish(),
  process_status: z.union([z.string(), z.number()]),
  error_message: z.string().nullish(),
  valid_line_count: WireCount.nullish(),
})
export type FileRow = z.infer<typeof FileRow>
export const FilePage = z.object({ list: z.array(FileRow), page_info: PageInfo.optional() })

/** An older version of the API returns numbers. Their meanings are not published, so these are assumed. */
const PROCESS_NUMBERS: Record<number, string> = { 0: 'PENDING', 1: 'PROCESSING', 2: 'SUCCESS', 3: 'ERROR' }

/** The state of a file, which the platform writes as a name or a number. */
export function processOf({ process_status }: FileRow): 'waiting' | 'done' | 'failed' {
  const name = typeof process_status === 'number' ? PROCESS_NUMBERS[process_status] : process_status
  return name === 'SUCCESS' ? 'done' : name === 'ERROR' ? 'failed' : 'waiting'
}

const ERRORS: Record<number, AnyOutcome> = {
  1: outcome('platform_system_error'),
  101: outcome('platform_seed_too_small'),
  102: outcome('platform_seed_without_traits'),
  201: outcome('platform_file_format_refused'),
  202: outcome('platform_file_unreadable'),
  203: outcome('platform_matched_nobody'),
}

/** An audience's row as our state; `covered` is the number of people that the platform found. */
export function socialState(row: AudienceRow): AudienceState {
  const [status, reason] = statusOf(row)
  return {
    status,
    reason,
    // Reported per file.
    accepted: null,
    covered: row.status === 'SUCCESS' ? (row.user_count ?? null) : null,
    pending: null,
    not_before: null,
    isEmpty: row.status === 'PENDING',
  }
}

function statusOf({ status, online_status, error_code }: AudienceRow): [AudienceState['status'], AnyOutcome | null] {
  switch (status) {
    case 'SUCCESS':
      // Not used for a while, so it can no longer be targeted; the console's status for that is assumed.
      return online_status === 'OFFLINE' ? ['expired', outcome('platform_offline_unused')] : ['available', null]
    case 'ERROR':
      return ['failed', ERRORS[error_code ?? 0] ?? outcome('platform_compute_failed', { code: error_code || null })]
    case 'FROZEN':
      return ['frozen', outcome('platform_frozen')]
    case 'LOCKING':
      return ['frozen', outcome('platform_source_crowd_withdrawn')]
    default:
      return ['computing', null]
  }
}
