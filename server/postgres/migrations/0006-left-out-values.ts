import { type Kysely, sql } from 'kysely'

/**
 * Values of more than 200 characters get no tags and count as 有值 only. Their existing tags stay, except automatic ones
 * of values over 1,000 characters that no rule uses: those broke the tag list or every build.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table attribute add column left_out jsonb not null default '[]'`.execute(db)
  // The job that `values_due` asks for counts them exactly.
  await sql`
    update attribute set values_due = true,
      values = (select coalesce(jsonb_agg(value order by place), '[]')
        from jsonb_array_elements_text(values) with ordinality as one (value, place) where length(value) <= 200),
      left_out = jsonb_build_array(jsonb_build_object('code', 'tooLong', 'params', jsonb_build_object('max', 200, 'count',
        (select count(*) from jsonb_array_elements_text(values) as one (value) where length(value) > 200))))
    where exists (select from jsonb_array_elements_text(values) as one (value) where length(value) > 200)`.execute(db)
  await sql`
    with gone as (
      delete from tag
      where is_automatic and length(definition->'condition'->>'value') > 1000
        and not exists (select from crowd_use where uses_kind = 'tag' and uses_id = tag.id)
        and not exists (select from rule where rule.adv_id = tag.adv_id and jsonb_path_exists(rule.def,
          '$.**.subTags[*] ? (@.id == $id && @.tag_type < 3)', jsonb_build_object('id', tag.id)))
      returning id, adv_id, version)
    insert into tag_leftover (adv_id, tag_id, version, since)
    select adv_id, id, version, extract(epoch from now())::bigint from gone where version > 0`.execute(db)
  await sql`
    insert into tag (adv_id, name, tag_type, category_id, definition, is_automatic, is_built_in, created_at, position)
    select category.adv_id, '有值', 1, category.id,
      jsonb_build_object('kind', 'attribute', 'attribute', attribute.name, 'condition', jsonb_build_object('is', 'exists')),
      true, false, extract(epoch from now())::bigint, 300
    from attribute join tag_category as category
      on category.adv_id = attribute.adv_id and category.tag_type = 1 and category.source = attribute.name
    where attribute.left_out <> '[]'
    on conflict (category_id, name) do nothing`.execute(db)
}
