import { type Kysely, sql, type Transaction } from 'kysely'
import type { z } from 'zod'
import { HISTORY_KEPT, type HistoryKind, type listTargetingHistory } from '#contract/targeting-package.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import type { StoredTargeting } from '../../postgres/schema-targeting.ts'
import { now } from '../../time/clock.ts'
import { mustFindPackage } from './checks.ts'

/** What a package was saved as. */
export interface SavedVersion {
  package_id: number
  ver: number
  kind: HistoryKind
  restored_from?: number
  name: string
  invalid_time: number
  dir_id: number
  targeting: StoredTargeting
}

/** Keeps a version of a package, and drops those that are too many. */
export async function keepVersion(tx: Transaction<Database>, viewer: Viewer, version: SavedVersion): Promise<void> {
  const { targeting, restored_from = null, ...rest } = version
  await tx
    .insertInto('targeting_version')
    .values({
      ...rest,
      restored_from,
      dir_name: await pathOf(tx, version.dir_id),
      targeting: JSON.stringify(targeting),
      viewer_id: viewer.id,
      at: now(),
    })
    .execute()
  await tx
    .deleteFrom('targeting_version')
    .where('package_id', '=', version.package_id)
    .where('ver', '<=', version.ver - HISTORY_KEPT)
    .execute()
}

/** The names of a folder and of those above it, the highest first. */
async function pathOf(tx: Transaction<Database>, dir_id: number): Promise<string | null> {
  const { rows } = await sql<{ path: string | null }>`
    with recursive above (id, parent_id, name, height) as (
      select id, parent_id, name, 0 from asset_folder where id = ${dir_id}
      union all
      select folder.id, folder.parent_id, folder.name, height + 1
      from asset_folder folder join above on folder.id = above.parent_id
    )
    select string_agg(name, ' / ' order by height desc) as path from above`.execute(tx)
  return rows[0]?.path ?? null
}

/** The kept versions of a package, the latest first. */
export async function listVersions(
  db: Kysely<Database>,
  viewer: Viewer,
  { id, page, page_size, ver }: z.output<typeof listTargetingHistory.query>,
) {
  await mustFindPackage(db, viewer, id)
  const versions = db
    .selectFrom('targeting_version')
    .where('package_id', '=', id)
    .$if(ver !== undefined, (some) => some.where('ver', '=', ver as number))
  const { total } = await versions.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const withViewers = (some: typeof versions) =>
    some
      .innerJoin('viewer', 'viewer.id', 'targeting_version.viewer_id')
      .select([
        'targeting_version.ver',
        'targeting_version.kind',
        'targeting_version.restored_from',
        'targeting_version.at',
        'viewer.realname',
        'viewer.username',
        'targeting_version.name',
        'targeting_version.invalid_time',
        'targeting_version.dir_id',
        'targeting_version.dir_name',
        'targeting_version.targeting',
      ])
      .orderBy('targeting_version.ver', 'desc')
  const rows = await withViewers(versions)
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  const last = rows.at(-1)?.ver ?? 0
  const before = await withViewers(
    db.selectFrom('targeting_version').where('package_id', '=', id).where('ver', '<', last),
  )
    .limit(1)
    .executeTakeFirst()
  const present = ({ realname, username, invalid_time, ...row }: (typeof rows)[number]) => ({
    ...row,
    saved_by: realname || username,
    invalidTime: invalid_time,
  })
  return { list: rows.map(present), earlier: before ? present(before) : null, total }
}

/** The name and the targeting of a kept version. */
export async function mustFindVersion(tx: Kysely<Database>, package_id: number, ver: number) {
  const row = await tx
    .selectFrom('targeting_version')
    .select(['name', 'targeting'])
    .where('package_id', '=', package_id)
    .where('ver', '=', ver)
    .executeTakeFirst()
  if (!row) throw new AppError('notFound', { what: `版本 ${ver}` })
  return row
}
