import { z } from 'zod'
import type { CrowdRow } from '#contract/targeting/five-tab/crowd-row.ts'
import type { AccountSession, StepHooks } from '../audience-platform.ts'
import { WireCount, WireId } from '../lossless-json.ts'
import { rowsOf } from '../video/dictionary-rows.ts'
import type { VideoWire } from '../video/wire.ts'

const CURATED = 0
const CUSTOM = 1
const PAGE = 100
const PAGES_MOST = 50

const Row = z.object({
  retargeting_tags_id: WireId,
  name: z.string().nullish(),
  source: z.string().nullish(),
  status: WireCount.nullish(),
  retargeting_tags_op: z.enum(['INCLUDE', 'EXCLUDE', 'ALL']).catch('ALL'),
  cover_num: WireCount.nullish(),
  is_common: WireCount.nullish(),
})
const Page = z.object({ offset: WireCount.nullish(), retargeting_tags: rowsOf(Row) })

/** Every crowd that an account of the commerce platform may use: those the platform curates, then its own. */
export async function commerceCrowds(wire: VideoWire, account: AccountSession, on: StepHooks): Promise<CrowdRow[]> {
  const crowds = new Map<string, CrowdRow>()
  for (const retargeting_tags_type of [CURATED, CUSTOM]) {
    let offset = 0
    for (let page = 0; page < PAGES_MOST; page++) {
      const query = { advertiser_id: account.external_id, retargeting_tags_type, offset, limit: PAGE }
      const { offset: next, retargeting_tags } = await wire.get(Page, {
        account,
        on,
        path: 'v1.0/qianchuan/dmp/audiences/get/',
        query,
      })
      for (const row of retargeting_tags) crowds.set(row.retargeting_tags_id, crowdOf(row))
      // The last page names no next one.
      if (!next || next <= offset) break
      offset = next
    }
  }
  return [...crowds.values()]
}

const crowdOf = (row: z.output<typeof Row>): CrowdRow => ({
  retargeting_tags_id: row.retargeting_tags_id,
  name: (row.name || row.retargeting_tags_id).slice(0, 200),
  source: row.source || null,
  cover_num: row.cover_num ?? null,
  is_common: row.is_common === 1 ? 1 : 0,
  retargeting_tags_op: row.retargeting_tags_op,
  ...(row.status != null && { status: row.status }),
})
