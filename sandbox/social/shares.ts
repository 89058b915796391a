import type { Parts } from '../parts.ts'
import type { Answer } from '../wire.ts'
import type { Context, Interface } from './access.ts'
import { accountFor, paged } from './advertisers.ts'
import { Refusal, success } from './envelope.ts'
import { SCOPES, type StoredTargeting, storeTargeting, targetingFor } from './targetings.ts'

const TYPES = ['SHARE_TYPE_SAME_BUSINESS', 'SHARE_TYPE_SAME_MDM'] as const
const FIELDS = ['targeting_id', 'share_to_account_id', 'share_to_targeting_id', 'shared_time']

/** Copies stored targetings to other accounts of the same company. */
export function shareCalls(parts: Parts): Record<string, Interface> {
  const { db, people } = parts

  function add(context: Context): Answer {
    const { given } = context
    const account_id = accountFor(context, 18001)
    const { id, name, description, targeting } = targetingFor(db, context, account_id)
    const to = given.id('share_to_account_id')
    if (to === undefined) throw new Refusal(18001, ['share_to_account_id'])
    given.oneOf('share_type', TYPES)
    const receiver = people.account('social', to)
    if (!receiver || to === account_id) throw new Refusal(12201, ['share_to_account_id'])
    // Both ways of sharing want the same company here.
    if (receiver.company !== people.account('social', account_id)?.company) {
      throw new Refusal(31033, ['share_to_account_id'])
    }
    const shared_from = JSON.stringify({ account_id, targeting_id: id })
    const copy = storeTargeting(parts, { account_id: to, name, description, targeting, shared_from })
    return success({ targeting_id: BigInt(copy) })
  }

  function get(context: Context): Answer {
    const { given } = context
    const account_id = accountFor(context, 18001)
    const { id } = targetingFor(db, context, account_id)
    const fields = given.fields(FIELDS)
    const copies = db.all<StoredTargeting>(
      'SELECT * FROM social_targeting WHERE shared_from = ? ORDER BY no',
      JSON.stringify({ account_id, targeting_id: id }),
    )
    const { list, page_info } = paged(context, copies)
    const rows = list.map(
      (copy): Record<string, unknown> => ({
        targeting_id: BigInt(id),
        share_to_account_id: BigInt(copy.account_id),
        share_to_targeting_id: BigInt(copy.id),
        shared_time: Math.floor(copy.made_at),
      }),
    )
    const cut = fields ? rows.map((row) => Object.fromEntries(fields.map((name) => [name, row[name]]))) : rows
    return success({ list: cut, page_info })
  }

  return {
    'POST targetings_share/add': { scopes: SCOPES, generation: 1, isStrict: true, act: add },
    'GET targetings_share/get': { scopes: SCOPES, generation: 1, isStrict: true, act: get },
  }
}
