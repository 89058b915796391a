// The time of a rule's counts: ours, CRoaring in this process, and plain SQL over rows, on the same people and rules.
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { nodesOf, type RuleNode, type RuleOp, subTagsOf } from '#contract/rule.ts'
import { openClickHouse } from '../server/clickhouse/open.ts'
import { openEvaluator, type RuleCounts, type SetVersion } from '../server/clickhouse/rule/evaluate.ts'
import { percentile, randomBelow, timed } from './measure.ts'
import { openCroaring } from './rules-croaring.ts'
import { type TagShape, tagShapes, writeTags } from './rules-people.ts'
import { openPlainSql } from './rules-plain-sql.ts'

const ADV = 1
const LEAVES = 10
const TAGS_PER_LEAF = 2

const { values: given } = parseArgs({
  options: {
    people: { type: 'string', default: '10000000' },
    tags: { type: 'string', default: '200' },
    /** Number of trees; 100 by default, fewer of the slow ones. */
    trees: { type: 'string' },
    /** Number of trees that plain SQL, which is slow, counts too. */
    'sql-trees': { type: 'string' },
    'bitmap-memory': { type: 'string', default: String(6 * 1024 ** 3) },
  },
})
const people = Number(given.people)
const tags = Number(given.tags)
const isHuge = people > 200_000_000
const trees = Number(given.trees ?? (isHuge ? 30 : 100))
const sqlTrees = Number(given['sql-trees'] ?? (people <= 10_000_000 ? 5 : 0))
const bitmapMemory = Number(given['bitmap-memory'])

/** A tree of any shape with `leaves` leaves, two different tags in each, and random operators. */
function randomRule(random: (below: number) => number, shapes: readonly TagShape[]): RuleNode {
  let last = 0
  const op = () => (['n', 'u', 'e'] as const)[random(3)] as RuleOp
  const tagId = () => (shapes[random(shapes.length)] as TagShape).id
  const grow = (leaves: number): RuleNode => {
    const id = `n${++last}`
    if (leaves === 1) {
      const ids = new Set<number>()
      while (ids.size < TAGS_PER_LEAF) ids.add(tagId())
      return { id, op: op(), subTags: [...ids].map((tag) => ({ id: tag, tag_type: 1 })), exps: [] }
    }
    const left = 1 + random(leaves - 1)
    return { id, op: op(), subTags: [], exps: [grow(left), grow(leaves - left)] }
  }
  return grow(LEAVES)
}

const ms = (value: number | undefined) => (value === undefined ? '' : value < 10 ? value.toFixed(2) : value.toFixed(0))
const report = (name: string, times: readonly number[], note = '') =>
  console.log(
    `${name.padEnd(34)} p50 ${ms(percentile(times, 0.5)).padStart(7)} ms   p95 ${ms(percentile(times, 0.95)).padStart(7)} ms   ${note}`,
  )

function refuseDifference(name: string, rule: RuleNode, ours: RuleCounts | undefined, theirs: RuleCounts): void {
  for (const { id } of nodesOf(rule)) {
    if (ours?.[id] !== theirs[id])
      throw new Error(`${name} counts ${theirs[id]} where we count ${ours?.[id]}: ${JSON.stringify(rule)}`)
  }
}

const dataDir = mkdtempSync(join(tmpdir(), 'renqun-bench-'))
const warehouse = await openClickHouse({ dataDir })
try {
  const shapes = tagShapes(tags)
  console.log(
    `${people.toLocaleString()} people, ${tags} tags: ${shapes.filter((tag) => tag.share >= 0.1).length} hold 10 % of them or more, ${shapes.filter((tag) => tag.share < 0.01).length} less than 1 %; load ${loadavg()[0]?.toFixed(2)}`,
  )
  const [writing, sets] = await timed(() => writeTags(warehouse.load.acrossShards, ADV, people, shapes))
  console.log(`Tags written in ${(writing / 1000).toFixed(1)} s`)

  const random = randomBelow(20_261_121)
  const rules = Array.from({ length: trees }, () => randomRule(random, shapes))
  const setsOf = (rule: RuleNode): SetVersion[] => subTagsOf(rule).flatMap(({ id }) => sets.get(id) ?? [])

  const evaluator = openEvaluator(warehouse, { bitmapMemory })
  const cold = await timed(() => evaluator.countRule(ADV, rules[0] as RuleNode, setsOf(rules[0] as RuleNode)))
  const [warming] = await timed(() => evaluator.warm(ADV, [...sets.values()]))
  const held = evaluator.held()
  console.log(
    `First count ${ms(cold[0])} ms; all tags read into memory in ${(warming / 1000).toFixed(1)} s, ${(held.bytes / 2 ** 20).toFixed(0)} MB`,
  )

  /** Counts every rule three times; only the last round is measured, when all code is compiled. Huge ones run once. */
  async function countAll(
    count: (rule: RuleNode) => Promise<RuleCounts>,
  ): Promise<{ times: number[]; counts: RuleCounts[] }> {
    let last: [number, RuleCounts][] = []
    for (let round = 0; round < (isHuge ? 1 : 3); round++) {
      last = []
      for (const rule of rules) last.push(await timed(() => count(rule)))
    }
    return { times: last.map(([time]) => time), counts: last.map(([, answer]) => answer) }
  }
  const { times: ours, counts } = await countAll((rule) => evaluator.countRule(ADV, rule, setsOf(rule)))
  const rss = Math.round(process.memoryUsage().rss / 2 ** 20)
  report('ours', ours, `${trees} trees of ${LEAVES} leaves, ${2 * LEAVES - 1} counts each; ${rss} MB resident`)
  await evaluator.close()

  if (people <= 100_000_000) {
    const oneLane = openEvaluator(warehouse, { bitmapMemory, lanes: 1 })
    await oneLane.warm(ADV, [...sets.values()])
    report('ours on one core', (await countAll((rule) => oneLane.countRule(ADV, rule, setsOf(rule)))).times)
    const coldTimes: number[] = []
    for (const rule of rules.slice(0, 10)) {
      oneLane.forget()
      coldTimes.push((await timed(() => oneLane.countRule(ADV, rule, setsOf(rule))))[0])
    }
    await oneLane.close()
    report('ours, nothing read yet', coldTimes, `${coldTimes.length} trees`)
  }

  const engine = openEvaluator(warehouse, { bitmapMemory: 0 })
  const engineTimes: number[] = []
  for (const [at, rule] of rules.slice(0, Math.min(trees, isHuge ? 5 : 20)).entries()) {
    const [time, answer] = await timed(() => engine.countRule(ADV, rule, setsOf(rule)))
    engineTimes.push(time)
    refuseDifference('the engine', rule, counts[at], answer)
  }
  report('ours, by the engine from disk', engineTimes, `${engineTimes.length} trees`)

  const croaring = await openCroaring(warehouse.live.acrossShards, ADV, [...sets.values()])
  const { times: croaringTimes, counts: theirs } = await countAll(async (rule) => croaring(rule))
  for (const [at, rule] of rules.entries()) refuseDifference('CRoaring', rule, counts[at], theirs[at] ?? {})
  report('CRoaring, one thread, in process', croaringTimes, `${trees} trees`)

  const sqlTimes: number[] = []
  if (sqlTrees > 0) {
    const chosen = rules.slice(0, sqlTrees)
    const plainSql = await openPlainSql(warehouse.load.acrossShards, ADV, [
      ...new Set(chosen.flatMap((rule) => subTagsOf(rule).map(({ id }) => id))),
    ])
    for (const [at, rule] of chosen.entries()) {
      const [time, answer] = await timed(() => plainSql(rule))
      sqlTimes.push(time)
      refuseDifference('plain SQL', rule, counts[at], answer)
    }
    report('plain SQL over (tag, uid) rows', sqlTimes, `${sqlTrees} trees, both cores`)
  }

  const [p50, p95] = [percentile(ours, 0.5), percentile(ours, 0.95)]
  const [c50, c95] = [percentile(croaringTimes, 0.5), percentile(croaringTimes, 0.95)]
  console.log(
    `p95 ${(p95 / c95).toFixed(2)} times CRoaring's${sqlTimes.length > 0 ? `; p50 ${(percentile(sqlTimes, 0.5) / p50).toFixed(0)} times faster than plain SQL` : ''}; load ${loadavg()[0]?.toFixed(2)}`,
  )
  const round = (value: number) => Math.round(value * 100) / 100
  console.log(
    `RESULT ${JSON.stringify({
      people,
      p50_ms: round(p50),
      p95_ms: round(p95),
      croaring_p50_ms: round(c50),
      croaring_p95_ms: round(c95),
      plain_sql_p50_ms: sqlTimes.length > 0 ? round(percentile(sqlTimes, 0.5)) : null,
      rss_mb: rss,
    })}`,
  )
} finally {
  await warehouse.close()
  rmSync(dataDir, { recursive: true, force: true })
}
