import type { RuleNode, RuleOp, SubTag } from '#contract/rule.ts'
import { createRuleCrowd, openRule, storeRule } from '#contract/rule-crowd.ts'
import { ATTRIBUTE_TAG } from '#contract/tag.ts'
import { now } from '../time/clock.ts'
import type { TestApp } from './test-app.ts'

let made = 0

export const anAdvertiser = (app: TestApp, name = `广告主${++made}`): Promise<number> =>
  app.services.advertisers.create(null, name)

/** A tag with these uids, stored as a rebuild would store it. */
export async function aTag(app: TestApp, adv_id: number, uids: readonly number[], name = `标签${++made}`) {
  const { db } = app.stores.postgres
  const category = await db
    .insertInto('tag_category')
    .values({ adv_id, name: `分类${++made}`, icon: 'other', tag_type: ATTRIBUTE_TAG })
    .returning('id')
    .executeTakeFirstOrThrow()
  const tag = await db
    .insertInto('tag')
    .values({
      adv_id,
      name,
      tag_type: ATTRIBUTE_TAG,
      category_id: category.id,
      definition: JSON.stringify({ kind: 'attribute', attribute: name, condition: { is: 'exists' } }),
      is_automatic: false,
      is_built_in: false,
      version: 0,
      is_dirty: false,
      created_at: now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await setTag(app, adv_id, tag.id, uids, 1)
  return tag.id
}

/** Gives a tag new members, in a new version. */
export async function setTag(app: TestApp, adv_id: number, tag_id: number, uids: readonly number[], version: number) {
  if (uids.length > 0) {
    await app.stores.warehouse.load.acrossShards.command(
      `INSERT INTO tag_member (adv_id, tag_id, version, bucket, bitmap)
       SELECT {adv_id:UInt32}, {tag_id:UInt32}, {version:UInt32}, toUInt16(bitShiftRight(uid, 20)), groupBitmapState(uid)
       FROM (SELECT arrayJoin({uids:Array(UInt32)}) AS uid) GROUP BY bitShiftRight(uid, 20)`,
      { adv_id, tag_id, version, uids: [...uids] },
    )
  }
  await app.stores.postgres.db
    .updateTable('tag')
    .set({ version, count: new Set(uids).size, counted_at: now() })
    .where('id', '=', tag_id)
    .execute()
}

export const tagged = (...ids: number[]): SubTag[] => ids.map((id) => ({ id, tag_type: ATTRIBUTE_TAG }))
export const leaf = (id: string, op: RuleOp | null, subTags: SubTag[]): RuleNode => ({ id, op, subTags, exps: [] })
export const node = (id: string, op: RuleOp, left: RuleNode, right: RuleNode): RuleNode => ({
  id,
  op,
  subTags: [],
  exps: [left, right],
})

export const DAY = 86_400

/** A saved rule crowd of the first admin. */
export async function aCrowd(
  app: TestApp,
  adv_id: number,
  rule: RuleNode,
  given: { name?: string; dirId?: number; invalidTime?: number } = {},
): Promise<{ id: number; tagId: number; rId: number }> {
  const { rId } = await app.admin.get(openRule, { body: { advId: adv_id } })
  await app.admin.get(storeRule, { params: { rId }, body: { advId: adv_id, rule } })
  const body = { rId, name: `人群${++made}`, invalidTime: now() + 10 * DAY, dirId: 1, ...given }
  return { ...(await app.admin.get(createRuleCrowd, { body })), rId }
}
