import { z } from 'zod'
import type { CrowdRow } from '#contract/targeting/five-tab/crowd-row.ts'
import type { AccountSession, StepHooks } from '../audience-platform.ts'
import { WireCount, WireId } from '../lossless-json.ts'
import { namedRows, wholeList } from '../whole-list.ts'
import { socialState } from './rows.ts'
import type { SocialWire } from './wire.ts'

/** Where a crowd comes from, in the place of a platform's own word for it. */
const OWN = 'OWN'
const GRANTED = 'GRANTED'

const PAGE = 100

const Row = z.object({
  audience_id: WireId,
  name: z.string().nullish().catch(null),
  // Of an unknown one it is only known that it cannot be used yet.
  status: z.string().catch('UNKNOWN'),
  online_status: z.string().nullish().catch(null),
  is_own: z.boolean().nullish().catch(null),
  error_code: WireCount.nullish().catch(null),
  user_count: WireCount.nullish().catch(null),
})
const Page = z.object({ list: namedRows(Row), page_info: z.object({ total_number: WireCount }).nullish() })

/**
 * Every audience of the account, those that other accounts granted to it included. A fault rather than a part of them,
 * since what is missing counts as deleted.
 */
export async function socialCrowds(wire: SocialWire, account: AccountSession, on: StepHooks): Promise<CrowdRow[]> {
  const rows = await wholeList(
    PAGE,
    (row: z.output<typeof Row>) => row.audience_id,
    async (page) => {
      const query = { account_id: account.external_id, page, page_size: PAGE }
      const { list, page_info } = await wire.get(Page, { account, on, path: 'custom_audiences/get', query })
      return { ...list, total: page_info?.total_number }
    },
  )
  return rows.map(crowdOf)
}

function crowdOf(row: z.output<typeof Row>): CrowdRow {
  const { status, covered } = socialState(row)
  return {
    retargeting_tags_id: row.audience_id,
    audience_id: row.audience_id,
    name: (row.name || row.audience_id).slice(0, 200),
    source: row.is_own === false ? GRANTED : OWN,
    cover_num: covered,
    is_common: status === 'available' ? 1 : 0,
    retargeting_tags_op: 'ALL',
    // Whether it is online says something only of one that was computed.
    status: (row.status === 'SUCCESS' && row.online_status === 'OFFLINE' ? 'OFFLINE' : row.status).slice(0, 40),
  }
}
