import { z } from 'zod'
import type { CrowdRow } from '#contract/targeting/five-tab/crowd-row.ts'
import type { AccountSession, StepHooks } from '../audience-platform.ts'
import { WireCount, WireId } from '../lossless-json.ts'
import type { VideoWire } from '../video/wire.ts'
import { namedRows, wholeList } from '../whole-list.ts'

const CURATED = 0
const CUSTOM = 1
const PAGE = 100

const Row = z.object({
  retargeting_tags_id: WireId,
  name: z.string().nullish().catch(null),
  source: z.string().nullish().catch(null),
  status: WireCount.nullish().catch(null),
  retargeting_tags_op: z.enum(['INCLUDE', 'EXCLUDE', 'ALL']).catch('ALL'),
  cover_num: WireCount.nullish().catch(null),
  is_common: WireCount.nullish().catch(null),
})
const Page = z.object({
  total_num: WireCount.nullish(),
  retargeting_tags: namedRows(Row),
})

/**
 * Every crowd that an account of the commerce platform may use: those the platform curates, then its own. A fault rather
 * than a part of them, since what is missing counts as deleted.
 */
export async function commerceCrowds(wire: VideoWire, account: AccountSession, on: StepHooks): Promise<CrowdRow[]> {
  const crowds = new Map<string, CrowdRow>()
  for (const retargeting_tags_type of [CURATED, CUSTOM]) {
    const rows = await wholeList(
      PAGE,
      (row: z.output<typeof Row>) => row.retargeting_tags_id,
      async (page) => {
        const offset = (page - 1) * PAGE
        const query = { advertiser_id: account.external_id, retargeting_tags_type, offset, limit: PAGE }
        const path = 'v1.0/qianchuan/dmp/audiences/get/'
        const { retargeting_tags, total_num } = await wire.get(Page, { account, on, path, query })
        return { ...retargeting_tags, total: total_num ?? undefined }
      },
    )
    for (const row of rows) crowds.set(row.retargeting_tags_id, crowdOf(row))
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
