import { z } from 'zod'
import type { CrowdRow } from '#contract/targeting/five-tab/crowd-row.ts'
import type { AccountSession, StepHooks } from '../audience-platform.ts'
import { rowsOf } from './dictionary-rows.ts'
import { AudienceRow, isAvailable, isDeleted } from './rows.ts'
import type { VideoWire } from './wire.ts'

/** Crowds that plans may use now; then all that the account made or was pushed, which may still have to be published. */
const SELECTS = [1, 0] as const
const PAGE = 100
const PAGES_MOST = 50
/** The list has no crowd that the platform curates, and its source is a number without a published meaning. */
const CUSTOM = 'CUSTOM_AUDIENCE'

const Page = z.object({ custom_audience_list: rowsOf(AudienceRow) })

/**
 * Every crowd of an account of the video engine: those that plans may use first, then those that they may use once they
 * are published and pushed.
 */
export async function videoCrowds(wire: VideoWire, account: AccountSession, on: StepHooks): Promise<CrowdRow[]> {
  const crowds = new Map<string, CrowdRow>()
  for (const select_type of SELECTS) {
    for (let page = 0; page < PAGES_MOST; page++) {
      const query = { advertiser_id: account.external_id, select_type, offset: page * PAGE, limit: PAGE }
      const { custom_audience_list: rows } = await wire.get(Page, {
        account,
        on,
        path: '2/dmp/custom_audience/select/',
        query,
      })
      // A crowd of both lists keeps its place, and is what the later reading says.
      for (const row of rows) if (!isDeleted(row)) crowds.set(row.custom_audience_id, crowdOf(row))
      if (rows.length < PAGE) break
    }
  }
  return [...crowds.values()]
}

const crowdOf = (row: AudienceRow): CrowdRow => ({
  retargeting_tags_id: row.custom_audience_id,
  name: (row.name || row.custom_audience_id).slice(0, 200),
  source: CUSTOM,
  cover_num: row.cover_num ?? null,
  is_common: isAvailable(row) ? 1 : 0,
  retargeting_tags_op: 'ALL',
  status: row.status,
})
