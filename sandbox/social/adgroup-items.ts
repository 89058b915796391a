import type { Json } from '../json.ts'
import type { Parts } from '../parts.ts'
import type { Answer } from '../wire.ts'
import type { Context } from './access.ts'
import { accountFor } from './advertisers.ts'
import { CODES, type Code, Refusal, success } from './envelope.ts'
import { idAt, type JsonObject, listAt, objectAt } from './values.ts'

const ITEMS_MOST = 100

export interface SocialPlan {
  no: number
  id: string
  account_id: string
  name: string
  configured_status: string
  system_status: string
  daily_budget: number
  /** Fen, today. */
  spent: number
  made_at: number
  changed_at: number
  is_deleted: number
}

/** An account's ad group. */
export const adgroupOf = ({ db }: Pick<Parts, 'db'>, account_id: string, id: string) =>
  db.one<SocialPlan>('SELECT * FROM social_plan WHERE account_id = ? AND id = ? AND NOT is_deleted', account_id, id)

/** Carries out each item by itself; those that fail are named although the answer as a whole succeeds. */
export function changeEach(
  parts: Pick<Parts, 'db' | 'clock'>,
  context: Context,
  { spec, needed, known }: { spec: string; needed: readonly string[]; known: readonly string[] },
  change: (item: JsonObject, path: string, plan: SocialPlan) => Code | null,
): Answer {
  const { db, clock } = parts
  const account_id = accountFor(context, 18001)
  const asked = context.given.json(spec)
  if (asked === undefined) throw new Refusal(18001, [spec])
  const items = listAt(asked, spec, { most: ITEMS_MOST }).map((one, no) => {
    const path = `${spec}[${no}]`
    const item = objectAt(one, path, known)
    const missing = needed.filter((name) => item[name] === undefined)
    if (missing.length > 0)
      throw new Refusal(
        18001,
        missing.map((name) => `${path}.${name}`),
      )
    return { id: idAt(item.adgroup_id as Json, `${path}.adgroup_id`), item, path }
  })
  if (new Set(items.map(({ id }) => id)).size < items.length) throw new Refusal(31002, [spec], 'duplicate')
  const answered = items.map(({ id, item, path }) => {
    const plan = adgroupOf(parts, account_id, id)
    const code = plan ? change(item, path, plan) : 1800307
    if (code === null) db.run('UPDATE social_plan SET changed_at = ? WHERE id = ?', clock.now(), id)
    const [message, message_cn] = code === null ? ['', ''] : CODES[code]
    return { code: code ?? 0, message, message_cn, adgroup_id: BigInt(id) }
  })
  const fail_id_list = answered.filter(({ code }) => code !== 0).map(({ adgroup_id }) => adgroup_id)
  return success({ list: answered, fail_id_list })
}
