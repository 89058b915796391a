import type { Parts } from '../parts.ts'
import type { Answer } from '../wire.ts'
import type { Context } from './access.ts'
import { accountFor, paged } from './advertisers.ts'
import { success } from './envelope.ts'
import { filtersIn } from './filtering.ts'

const FIELDS = ['campaign_id', 'adgroup_id', 'adgroup_name', 'targeting_id', 'configured_status']
const ADGROUP_ID = { operators: ['EQUALS', 'IN'], most: 100, form: /^\d{1,19}$/ }

interface Adgroup {
  no: number
  name: string
  targeting_id: string
  configured_status: string
}

export const adgroupId = (no: number) => String(9_607_199_254_740_993n + BigInt(no) * 2n)

/** Lists the ad groups of the older generation, with their stored targeting. */
export function olderAdgroups({ db }: Parts) {
  return (context: Context): Answer => {
    const { given } = context
    const account_id = accountFor(context, 18001)
    given.boolean('is_deleted')
    const fields = given.fields(FIELDS) ?? FIELDS
    const [filter] = filtersIn(context, { adgroup_id: ADGROUP_ID }, 1)
    const found = db
      .all<Adgroup>('SELECT * FROM social_adgroup WHERE account_id = ? ORDER BY no DESC', account_id)
      .filter(({ no }) => filter?.values.includes(adgroupId(no)) ?? true)
    const { list, page_info } = paged(context, found)
    const rows = list.map(
      (one): Record<string, unknown> => ({
        campaign_id: 1,
        adgroup_id: BigInt(adgroupId(one.no)),
        adgroup_name: one.name,
        targeting_id: BigInt(one.targeting_id),
        configured_status: one.configured_status,
      }),
    )
    return success({ list: rows.map((row) => Object.fromEntries(fields.map((name) => [name, row[name]]))), page_info })
  }
}
