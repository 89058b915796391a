import type { RuleNode } from '#contract/rule.ts'
import { nodesOf, subTagsOf } from '#contract/rule.ts'
import type { AcrossShards } from '../server/clickhouse/handles.ts'
import type { RuleCounts } from '../server/clickhouse/rule/evaluate.ts'

/** The same counts without bitmaps: a row per tag and person, flags per person, and one statement per rule. */
export async function openPlainSql(
  load: AcrossShards,
  adv_id: number,
  tags: readonly number[],
): Promise<(rule: RuleNode) => Promise<RuleCounts>> {
  await load.command('CREATE TABLE tag_row (tag UInt32, uid UInt32) ENGINE = MergeTree ORDER BY (tag, uid)')
  for (const tag of tags) {
    await load.command(
      `INSERT INTO tag_row SELECT ${tag}, arrayJoin(bitmapToArray(bitmap)) FROM tag_member WHERE adv_id = ${adv_id} AND tag_id = ${tag}`,
    )
  }
  return async (rule) => {
    const used = subTagsOf(rule).map(({ id }) => id)
    const words = { n: ' AND ', u: ' OR ', e: ' AND NOT ' }
    const truth = (node: RuleNode): string =>
      `(${(node.exps.length > 0 ? node.exps.map(truth) : node.subTags.map(({ id }) => `t${id}`)).join(words[node.op ?? 'u'])})`
    const [row] = await load.query<RuleCounts>(
      `SELECT ${nodesOf(rule)
        .map((node) => `countIf(${truth(node)}) AS ${node.id}`)
        .join(', ')}
       FROM (SELECT uid, ${used.map((id) => `max(tag = ${id}) AS t${id}`).join(', ')} FROM tag_row WHERE tag IN (${used.join(', ')}) GROUP BY uid)`,
    )
    if (!row) throw new Error('plain SQL gave no row')
    return row
  }
}
