import type { Kysely } from 'kysely'
import type { Database } from '../postgres/schema.ts'

/** Rule crowds and uploaded ones, with the version of their people. Their ids are of one sequence. */
export const allCrowds = (db: Kysely<Database>) =>
  db.selectFrom(
    db
      .selectFrom('people')
      .select((eb) => [
        ...(['id', 'adv_id', 'name', 'version', 'magnitude as count', 'computed_at as counted_at'] as const),
        ...(['created_at', eb.val('rule').$castTo<'rule' | 'custom'>().as('kind')] as const),
      ])
      .where('deleted_at', 'is', null)
      .unionAll(
        db
          .selectFrom('custom_crowd')
          .select((eb) => [
            ...(['id', 'adv_id', 'name', 'members_version as version', 'matched as count', 'counted_at'] as const),
            ...(['created_at', eb.val('custom').$castTo<'rule' | 'custom'>().as('kind')] as const),
          ])
          .where('deleted_at', 'is', null),
      )
      .as('crowd'),
  )
