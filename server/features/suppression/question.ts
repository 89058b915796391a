import { createHmac } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { IdentifierType } from '#contract/identifier.ts'
import { outcome } from '#contract/outcome.ts'
import { SUPPRESSED_UNASKED } from '#contract/suppression.ts'
import type { SqlParams } from '../../clickhouse/bind.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { LONG_LISTS } from '../../clickhouse/long-lists.ts'
import { AppError } from '../../errors.ts'
import { ownersSql, suppressedSql, suppressedTypes } from '../../identifiers/exclusions.ts'
import type { Database } from '../../postgres/schema.ts'

interface Deps {
  db: Kysely<Database>
  engine: AcrossShards
  personKey: Buffer
}

/** What is about to be suppressed. */
interface Wanted {
  adv_id: number
  types: readonly IdentifierType[]
  /** A select of `kept`, the stored values of a type. */
  valuesOf(type: IdentifierType): string
  params: SqlParams
  /** Values, a phone counted once. */
  identifiers: number
  /** Names exactly these values, so that a confirmation is of nothing else. */
  name: string
}

/** Asks before many people are suppressed; a confirmed call carries the key that the refusal gave. */
export function suppressionQuestion({ db, engine, personKey }: Deps) {
  /** People of the advertiser who are not suppressed yet and would be. */
  async function peopleOf({ adv_id, types, valuesOf, params }: Wanted): Promise<number> {
    const owners = ownersSql(adv_id, types, valuesOf, personKey)
    if (owners === null) return 0
    const before = suppressedSql(adv_id, await suppressedTypes(engine, adv_id), personKey)
    const [row] = await engine.query<{ n: number }>(
      `SELECT toFloat64(uniqExact(uid)) AS n FROM (${owners})${before === null ? '' : ` WHERE uid NOT IN (${before})`}`,
      params,
      { settings: LONG_LISTS },
    )
    return row?.n ?? 0
  }

  /** 全部用户, the built-in tag, counts all people of the advertiser. */
  async function allPeople(adv_id: number): Promise<number> {
    const tag = await db
      .selectFrom('tag')
      .select('count')
      .where('adv_id', '=', adv_id)
      .where('is_built_in', '=', true)
      .executeTakeFirst()
    return tag?.count ?? 0
  }

  return async function ask(wanted: Wanted, confirm: string | undefined): Promise<void> {
    const { adv_id, identifiers, name } = wanted
    const [people, total] = await Promise.all([peopleOf(wanted), allPeople(adv_id)])
    const most = Math.min(SUPPRESSED_UNASKED.people, total > 0 ? total * SUPPRESSED_UNASKED.share : Infinity)
    if (people <= most && identifiers <= SUPPRESSED_UNASKED.people) return
    const key = createHmac('sha256', personKey)
      .update(JSON.stringify(['suppression', adv_id, name, people]))
      .digest('base64url')
    if (confirm === key) return
    const numbers = { identifiers, people, total }
    throw new AppError(
      'suppressionAsks',
      { reason: outcome('suppression_asks', numbers) },
      { confirm: key, ...numbers },
    )
  }
}
export type SuppressionQuestion = ReturnType<typeof suppressionQuestion>
