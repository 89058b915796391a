import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import { SEARCH_MAX, type searchEverything } from '#contract/search.ts'
import type { Viewer } from '../../http/viewer.ts'
import { textHolds } from '../../postgres/like.ts'
import type { Database } from '../../postgres/schema.ts'

type Asked = z.output<typeof searchEverything.query>

/** Finds crowds, packages, tags and folders of the viewer's advertisers by a part of the name, or by id. */
export function searchService(db: Kysely<Database>) {
  /** Folders that hold, at any depth, something of the viewer's or nothing: a name may tell who the others' things are. */
  async function foldersOf(viewer: Viewer, q: string) {
    const { rows } = await sql<{ id: number; name: string }>`
      with recursive inside as (
        select id as top, id from asset_folder where ${textHolds(viewer, sql.ref('name'), q)}
        union all
        select inside.top, asset_folder.id from inside join asset_folder on asset_folder.parent_id = inside.id
      )
      select asset_folder.id, asset_folder.name
      from inside
      join asset_folder on asset_folder.id = inside.top
      left join (select dir_id, adv_id from people where deleted_at is null
                 union all
                 select dir_id, adv_id from targeting_package where deleted_at is null) held on held.dir_id = inside.id
      group by asset_folder.id
      having count(held.dir_id) = 0 or bool_or(held.adv_id = any(${[...viewer.adv_ids]}::int[]))
      order by asset_folder.id limit ${SEARCH_MAX}`.execute(db)
    return rows
  }

  return {
    async find(viewer: Viewer, { q, adv_id, first_adv_id = 0 }: Asked) {
      const mine = viewer.adv_ids.filter((id) => adv_id === undefined || id === adv_id)
      const isNamed = (column: string) => textHolds(viewer, sql.ref(column), q)
      const id = /^\d{1,9}$/.test(q) ? Number(q) : -1
      const folders = await foldersOf(viewer, q)
      if (mine.length === 0) return { crowds: [], packages: [], tags: [], folders }
      const crowds = await db
        .with('found', (found) =>
          found
            .selectFrom('people')
            .select([sql<'rule' | 'custom'>`'rule'`.as('kind'), 'id', 'name', 'adv_id', 'dir_id', 'created_at'])
            .where('adv_id', 'in', mine)
            .where('deleted_at', 'is', null)
            .where((eb) => eb.or([isNamed('name'), eb('id', '=', id), eb('tag_id', '=', id)]))
            .unionAll(
              found
                .selectFrom('custom_crowd')
                .select([sql<'rule' | 'custom'>`'custom'`.as('kind'), 'id', 'name', 'adv_id', 'dir_id', 'created_at'])
                .where('adv_id', 'in', mine)
                .where('deleted_at', 'is', null)
                .where((eb) => eb.or([isNamed('name'), eb('id', '=', id)])),
            ),
        )
        .selectFrom('found')
        .innerJoin('advertiser', 'advertiser.id', 'found.adv_id')
        .select(['kind', 'found.id', 'found.name', 'adv_id', 'dir_id', 'advertiser.name as adv_name'])
        .orderBy((eb) => eb('adv_id', '=', first_adv_id), 'desc')
        .orderBy('found.created_at', 'desc')
        .orderBy('found.id', 'desc')
        .limit(SEARCH_MAX)
        .execute()
      const packages = await db
        .selectFrom('targeting_package as found')
        .innerJoin('advertiser', 'advertiser.id', 'found.adv_id')
        .select(['found.id', 'found.name', 'found.platform', 'found.adv_id', 'advertiser.name as adv_name'])
        .where('found.adv_id', 'in', mine)
        .where('found.deleted_at', 'is', null)
        .where((eb) => eb.or([isNamed('found.name'), eb('found.id', '=', id)]))
        .orderBy((eb) => eb('found.adv_id', '=', first_adv_id), 'desc')
        .orderBy('found.created_at', 'desc')
        .orderBy('found.id', 'desc')
        .limit(SEARCH_MAX)
        .execute()
      const tags = await db
        .selectFrom('tag')
        .innerJoin('tag_category', 'tag_category.id', 'tag.category_id')
        .innerJoin('advertiser', 'advertiser.id', 'tag.adv_id')
        .select(['tag.id', 'tag.name', 'tag_category.name as category', 'tag.adv_id', 'advertiser.name as adv_name'])
        .where('tag.adv_id', 'in', mine)
        .where((eb) => eb.or([isNamed('tag.name'), eb('tag.id', '=', id)]))
        .orderBy((eb) => eb('tag.adv_id', '=', first_adv_id), 'desc')
        .orderBy('tag.id')
        .limit(SEARCH_MAX)
        .execute()
      return { crowds, packages, tags, folders }
    },
  }
}
export type SearchService = ReturnType<typeof searchService>
