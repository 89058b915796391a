import { z } from 'zod'
import type { CrowdRow } from '#contract/targeting/five-tab/crowd-row.ts'
import type { AccountSession, StepHooks } from '../audience-platform.ts'
import { WireCount, WireId } from '../lossless-json.ts'
import { namedRows, wholeList } from '../whole-list.ts'
import { isAvailable, isDeleted } from './rows.ts'
import type { VideoWire } from './wire.ts'

/** Crowds that plans may use now; then all that the account made or was pushed, which may still have to be published. */
const SELECTS = [1, 0] as const
const PAGE = 100
/** The list has no crowd that the platform curates, and its source is a number without a published meaning. */
const CUSTOM = 'CUSTOM_AUDIENCE'

const Row = z.object({
  custom_audience_id: WireId,
  name: z.string().nullish().catch(null),
  status: WireCount.nullish().catch(null),
  delivery_status: z.string().nullish().catch(null),
  cover_num: WireCount.nullish().catch(null),
  isdel: WireCount.nullish().catch(null),
})
const Page = z.object({ custom_audience_list: namedRows(Row), total_num: WireCount.nullish() })

/**
 * Every crowd of an account of the video engine: those that plans may use first, then those that they may use once they
 * are published and pushed. A fault rather than a part of them, since what is missing counts as deleted.
 */
export async function videoCrowds(wire: VideoWire, account: AccountSession, on: StepHooks): Promise<CrowdRow[]> {
  const crowds = new Map<string, CrowdRow>()
  for (const select_type of SELECTS) {
    const rows = await wholeList(
      PAGE,
      (row: z.output<typeof Row>) => row.custom_audience_id,
      async (page) => {
        const query = { advertiser_id: account.external_id, select_type, offset: (page - 1) * PAGE, limit: PAGE }
        const path = '2/dmp/custom_audience/select/'
        const { custom_audience_list, total_num } = await wire.get(Page, { account, on, path, query })
        return { ...custom_audience_list, total: total_num ?? undefined }
      },
    )
    // A crowd of both lists keeps its place, and is what the later reading says.
    for (const row of rows) if (!isDeleted(row)) crowds.set(row.custom_audience_id, crowdOf(row))
  }
  return [...crowds.values()]
}

const crowdOf = (row: z.output<typeof Row>): CrowdRow => ({
  retargeting_tags_id: row.custom_audience_id,
  name: (row.name || row.custom_audience_id).slice(0, 200),
  source: CUSTOM,
  cover_num: row.cover_num ?? null,
  is_common: isAvailable(row) ? 1 : 0,
  retargeting_tags_op: 'ALL',
  ...(row.status != null && { status: row.status }),
})
