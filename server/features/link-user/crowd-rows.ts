import type { Kysely } from 'kysely'
import type { Database } from '../../postgres/schema.ts'

/** An advertiser's rule crowds and uploaded ones, with the version of their people. Their ids are of one sequence. */
export const crowdRows = (db: Kysely<Database>, adv_id: number) =>
  db
    .selectFrom('people')
    .select((eb) => [
      'id',
      'name',
      'version',
      'computed_at as counted_at',
      'created_at',
      eb.val('rule').$castTo<'rule' | 'custom'>().as('kind'),
    ])
    .where('adv_id', '=', adv_id)
    .where('deleted_at', 'is', null)
    .unionAll(
      db
        .selectFrom('custom_crowd')
        .select((eb) => [
          'id',
          'name',
          'members_version as version',
          'counted_at',
          'created_at',
          eb.val('custom').$castTo<'rule' | 'custom'>().as('kind'),
        ])
        .where('adv_id', '=', adv_id)
        .where('deleted_at', 'is', null),
    )
