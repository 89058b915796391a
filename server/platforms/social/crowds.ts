import type { CrowdRow } from '#contract/targeting/five-tab/crowd-row.ts'
import type { AccountSession, StepHooks } from '../audience-platform.ts'
import { pagesOf } from './pages.ts'
import { AudiencePage, type AudienceRow, socialState } from './rows.ts'
import type { SocialWire } from './wire.ts'

/** Where a crowd comes from, in the place of a platform's own word for it. */
const OWN = 'OWN'
const GRANTED = 'GRANTED'

/** Every audience of the account, those that other accounts granted to it included. */
export async function socialCrowds(wire: SocialWire, account: AccountSession, on: StepHooks): Promise<CrowdRow[]> {
  const crowds = new Map<string, CrowdRow>()
  for await (const { list } of pagesOf(wire, AudiencePage, { account, on, path: 'custom_audiences/get' })) {
    for (const row of list) crowds.set(row.audience_id, crowdOf(row))
  }
  return [...crowds.values()]
}

function crowdOf(row: AudienceRow): CrowdRow {
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
