import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { CROWD_TAG, emptyLeaf, type RuleNode, type RuleOp } from '#contract/rule.ts'
import { ATTRIBUTE_TAG } from '#contract/tag.ts'
import { startClickHouse } from '../../testing/clickhouse-server.ts'
import { type TestWarehouse, testWarehouse } from '../../testing/warehouse.ts'
import { everyShard, type Handles } from '../handles.ts'
import { openEvaluator, type RuleEvaluator, type SetVersion } from './evaluate.ts'

const ADV = 7
const TAGS = 12
const BUDGET = 64 * 1024 * 1024

let warehouse: TestWarehouse
let hot: RuleEvaluator
let engineOnly: RuleEvaluator
beforeAll(async () => {
  warehouse = await testWarehouse({ hasAllRights: true })
  hot = openEvaluator(warehouse, { bitmapMemory: BUDGET, lanes: 2 })
  engineOnly = openEvaluator(warehouse, { bitmapMemory: 0 })
})
afterEach(async () => {
  await warehouse.truncate()
  hot.forget()
})
afterAll(async () => {
  await hot.close()
  await engineOnly.close()
  await warehouse.close()
})

// Start numbers at the borders of blocks (2^16) and buckets (2^20).
const EDGES = [0, 2 ** 16, 2 ** 20 - 3 * 2 ** 15, 2 ** 20, 2 ** 21 - 2 ** 16, 3 * 2 ** 20 + 5]
const from = fc.constantFrom(...EDGES)
const people = fc.oneof(
  fc.constant<number[]>([]),
  fc
    .record({ from, offsets: fc.uniqueArray(fc.nat(150_000), { maxLength: 60 }) })
    .map(({ from, offsets }) => offsets.map((at) => from + at)),
  fc
    .record({ from, step: fc.constantFrom(1, 2, 7, 63, 100, 129), length: fc.nat(3000) })
    .map(({ from, step, length }) => Array.from({ length }, (_, at) => from + at * step)),
  fc
    .record({ from, step: fc.constantFrom(1, 3), length: fc.integer({ min: 60_000, max: 140_000 }) })
    .map(({ from, step, length }) => Array.from({ length }, (_, at) => from + at * step)),
)

type Members = Map<number, ReadonlySet<number>>
const members = fc
  .array(people, { minLength: TAGS, maxLength: TAGS })
  .map((sets): Members => new Map(sets.map((uids, at) => [at + 1, new Set(uids)])))

const op = fc.constantFrom<RuleOp>('n', 'u', 'e')
const tagIds = (max: number) => fc.uniqueArray(fc.integer({ min: 1, max: TAGS }), { maxLength: max })
const leaf = (max = 4) =>
  fc.record({ op, tags: tagIds(max) }).map(
    ({ op, tags }): RuleNode => ({
      id: '',
      op,
      subTags: tags.map((id) => ({ id, tag_type: ATTRIBUTE_TAG })),
      exps: [],
    }),
  )
const { tree } = fc.letrec<{ tree: RuleNode }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, depthIdentifier: 'rule' },
    leaf(),
    fc
      .record({ op, left: tie('tree'), right: tie('tree') })
      .map(({ op, left, right }): RuleNode => ({ id: '', op, subTags: [], exps: [left, right] })),
  ),
}))
/** Leaves joined one after the other, as in the editor, or in reverse. */
const comb = (length: number) =>
  fc
    .record({
      leaves: fc.array(leaf(3), { minLength: length, maxLength: length }),
      ops: fc.array(op, { minLength: length, maxLength: length }),
      leftwards: fc.boolean(),
    })
    .map(({ leaves, ops, leftwards }) =>
      leaves.reduce(
        (tree, next, at): RuleNode => ({
          id: '',
          op: ops[at] ?? 'n',
          subTags: [],
          exps: leftwards ? [tree, next] : [next, tree],
        }),
      ),
    )
const numbered = (root: RuleNode): RuleNode => {
  let last = 0
  const number = (node: RuleNode): RuleNode => ({ ...node, id: `n${++last}`, exps: node.exps.map(number) })
  return number(root)
}
const rule = fc.oneof({ weight: 4, arbitrary: tree }, { weight: 1, arbitrary: comb(64) }).map(numbered)

/** The slow reference: JavaScript sets and the three operators in their simplest form. */
function slowCounts(root: RuleNode, sets: Members): Record<string, number> {
  const counts: Record<string, number> = {}
  const solve = (node: RuleNode): ReadonlySet<number> => {
    const parts =
      node.exps.length > 0 ? node.exps.map(solve) : node.subTags.map(({ id }) => sets.get(id) ?? new Set<number>())
    const [first = new Set<number>(), ...rest]: ReadonlySet<number>[] = parts
    const solved = new Set(first)
    for (const part of rest) {
      if (node.op === 'u') for (const uid of part) solved.add(uid)
      else for (const uid of solved) if (part.has(uid) === (node.op === 'e')) solved.delete(uid)
    }
    counts[node.id] = solved.size
    return solved
  }
  solve(root)
  return counts
}

/** Each bucket is on one shard. */
async function write(sets: Members, version: number, shards = [warehouse.load.acrossShards]): Promise<SetVersion[]> {
  for (const [id, uids] of sets) {
    for (const [at, shard] of shards.entries()) {
      await shard.command(
        `INSERT INTO tag_member SELECT {adv:UInt32}, {id:UInt32}, {version:UInt32}, bitShiftRight(uid, 20) AS bucket, groupBitmapState(uid)
         FROM (SELECT arrayJoin({uids:Array(UInt32)}) AS uid) WHERE bucket % {of:UInt8} = {at:UInt8} GROUP BY bucket`,
        { adv: ADV, id, version, uids: [...uids], of: shards.length, at },
      )
    }
  }
  return [...sets].map(([id, uids]) => ({ kind: 'tag', id, version, count: uids.size }))
}

let version = 0

test('counts of every node equal the slow reference, in memory and in the engine', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(members, fc.array(rule, { minLength: 6, maxLength: 6 }), async (sets, rules) => {
      const pinned = await write(sets, ++version)
      for (const rule of rules) {
        const slow = slowCounts(rule, sets)
        expect(await hot.countRule(ADV, rule, pinned)).toEqual(slow)
        expect(await engineOnly.countRule(ADV, rule, pinned)).toEqual(slow)
      }
    }),
    { numRuns: 8 },
  )
})

test('a comb of 64 leaves counts correctly in both directions', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(members, comb(64).map(numbered), async (sets, rule) => {
      const pinned = await write(sets, ++version)
      const slow = slowCounts(rule, sets)
      expect(Object.keys(slow)).toHaveLength(127)
      expect(await hot.countRule(ADV, rule, pinned)).toEqual(slow)
      expect(await engineOnly.countRule(ADV, rule, pinned)).toEqual(slow)
    }),
    { numRuns: 4 },
  )
})

test('set identities hold', { timeout: 120_000 }, async () => {
  const join = (op: RuleOp, ...exps: RuleNode[]): RuleNode => ({ id: '', op, subTags: [], exps })
  await fc.assert(
    fc.asyncProperty(members, tree, tree, async (sets, a, b) => {
      const pinned = await write(sets, ++version)
      const size = async (node: RuleNode) => (await hot.countRule(ADV, numbered(node), pinned)).n1 ?? Number.NaN
      const [sizeA, sizeB, both, either, onlyA] = [
        await size(a),
        await size(b),
        await size(join('n', a, b)),
        await size(join('u', a, b)),
        await size(join('e', a, b)),
      ]
      expect(either).toBe(sizeA + sizeB - both)
      expect(onlyA).toBe(sizeA - both)
      expect(await size(join('e', a, a))).toBe(0)
      expect(await size(join('n', a, a))).toBe(sizeA)
      expect(await size(join('u', join('n', a, b), join('e', a, b)))).toBe(sizeA)
      expect(await size(join('n', join('e', a, b), b))).toBe(0)
    }),
    { numRuns: 8 },
  )
})

const leafOf = (id: string, op: RuleOp, ...tags: number[]): RuleNode => ({
  id,
  op,
  subTags: tags.map((tag) => ({ id: tag, tag_type: ATTRIBUTE_TAG })),
  exps: [],
})

test('a copy whose members differ from the stored ones is read again', async () => {
  const pinned = await write(new Map([[1, new Set([5, 6])]]), 1)
  expect(await hot.countRule(ADV, leafOf('a', 'n', 1), pinned)).toEqual({ a: 2 })
  await write(new Map([[1, new Set([7])]]), 1)
  expect(
    await hot.countRule(
      ADV,
      leafOf('a', 'n', 1),
      pinned.map((set) => ({ ...set, count: 3 })),
    ),
  ).toEqual({ a: 3 })
})

test('people removed by a new version still count in the old one until it is dropped', async () => {
  const first = await write(new Map([[1, new Set([1, 2, 3, 2 ** 20])]]), 1)
  const rule = leafOf('a', 'u', 1)
  expect(await hot.countRule(ADV, rule, first)).toEqual({ a: 4 })
  const second = await write(new Map([[1, new Set([2])]]), 2)
  for (const evaluator of [hot, engineOnly]) {
    expect(await evaluator.countRule(ADV, rule, second)).toEqual({ a: 1 })
    expect(await evaluator.countRule(ADV, rule, first)).toEqual({ a: 4 })
  }
  await hot.dropVersions(ADV, first)
  await hot.compact()
  for (const evaluator of [hot, engineOnly]) {
    await expect(evaluator.countRule(ADV, rule, first)).rejects.toThrow('4 were expected')
    expect(await evaluator.countRule(ADV, rule, second)).toEqual({ a: 1 })
  }
})

test('an empty leaf counts nobody, and a tag without a version is an error', async () => {
  const pinned = await write(new Map([[1, new Set([5, 6])]]), 1)
  const rule: RuleNode = { id: 'root', op: 'u', subTags: [], exps: [emptyLeaf('none'), leafOf('a', 'n', 1)] }
  expect(await hot.countRule(ADV, rule, pinned)).toEqual({ root: 2, none: 0, a: 2 })
  expect(await engineOnly.countRule(ADV, rule, pinned)).toEqual({ root: 2, none: 0, a: 2 })
  expect(await hot.countRule(ADV, emptyLeaf('none'), [])).toEqual({ none: 0 })
  await expect(hot.countRule(ADV, leafOf('a', 'n', 9), pinned)).rejects.toThrow('tag 9')
})

test('another advertiser’s people are not counted', async () => {
  const pinned = await write(new Map([[1, new Set([5, 6])]]), 1)
  const others = pinned.map((set) => ({ ...set, count: 0 }))
  expect(await hot.countRule(ADV + 1, leafOf('a', 'n', 1), others)).toEqual({ a: 0 })
  await expect(hot.countRule(ADV + 1, leafOf('a', 'n', 1), pinned)).rejects.toThrow('2 were expected')
})

test('a stored rule is a crowd that counts like its rule, and storing again changes nothing', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(members, rule, async (sets, rule) => {
      const pinned = await write(sets, ++version)
      const counts = slowCounts(rule, sets)
      const into = { crowd_id: 3, version }
      for (let time = 0; time < 2; time++) expect(await hot.storeRule(ADV, rule, pinned, into)).toBe(counts[rule.id])
      const crowd: RuleNode = { id: 'crowd', op: null, subTags: [{ id: 3, tag_type: CROWD_TAG }], exps: [] }
      const both: RuleNode = { id: 'both', op: 'n', subTags: [], exps: [crowd, { ...rule, id: 'rule' }] }
      const versions: SetVersion[] = [
        ...pinned,
        { kind: 'crowd', id: 3, version, count: counts[rule.id] ?? Number.NaN },
      ]
      for (const evaluator of [hot, engineOnly]) {
        expect(await evaluator.countRule(ADV, both, versions)).toMatchObject({
          crowd: counts[rule.id],
          both: counts[rule.id],
        })
      }
    }),
    { numRuns: 8 },
  )
})

test('rules stored together are the crowds that each of them counts, and a damaged set fails its rule alone', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(members, fc.array(rule, { minLength: 2, maxLength: 6 }), async (sets, rules) => {
      const pinned = await write(sets, ++version)
      const wanted = rules.map((rule, at) => ({ rule, sets: pinned, into: { crowd_id: 100 + at, version } }))
      expect(await hot.storeRules(ADV, wanted)).toEqual(rules.map((rule) => slowCounts(rule, sets)[rule.id]))
    }),
    { numRuns: 5 },
  )
  const pinned = await write(
    new Map([
      [1, new Set([5, 6])],
      [2, new Set([7])],
    ]),
    ++version,
  )
  const damaged = pinned.map((set) => (set.id === 2 ? { ...set, count: 4 } : set))
  const [fine, broken] = await hot.storeRules(
    ADV,
    [1, 2].map((tag) => ({ rule: leafOf('a', 'n', tag), sets: damaged, into: { crowd_id: 200 + tag, version } })),
  )
  expect(fine).toBe(2)
  expect(broken).toMatchObject({ message: expect.stringContaining('4 were expected') })
})

test('members written in several inserts form one set', async () => {
  await write(new Map([[1, new Set([1, 2])]]), 1)
  await write(new Map([[1, new Set([2, 3])]]), 1)
  const pinned: SetVersion[] = [{ kind: 'tag', id: 1, version: 1, count: 3 }]
  expect(await hot.countRule(ADV, leafOf('a', 'n', 1), pinned)).toEqual({ a: 3 })
  expect(await engineOnly.countRule(ADV, leafOf('a', 'n', 1), pinned)).toEqual({ a: 3 })
  expect(await hot.membersOf(ADV, pinned)).toEqual([3])
})

test('copies stay within the memory budget, and dropped ones are read again', async () => {
  const every = (step: number) => new Set(Array.from({ length: 40_000 }, (_, at) => at * step))
  const sets: Members = new Map([1, 2, 3, 4, 5, 6].map((id) => [id, every(id)]))
  const pinned = await write(sets, 1)
  const small = openEvaluator(warehouse, { bitmapMemory: 100_000, lanes: 2 })
  for (let round = 0; round < 3; round++) {
    for (const [id, uids] of sets) {
      expect(await small.countRule(ADV, leafOf('a', 'n', id), pinned)).toEqual({ a: uids.size })
      expect(small.held().bytes).toBeLessThanOrEqual(100_000)
    }
  }
  const all = leafOf('a', 'u', 1, 2, 3, 4, 5, 6)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      small.countRule(ADV, at % 2 ? all : leafOf('a', 'e', 1, 1 + (at % 6)), pinned),
    ),
  )
  for (const [at, answer] of answers.entries()) {
    expect(answer).toEqual(slowCounts(at % 2 ? all : leafOf('a', 'e', 1, 1 + (at % 6)), sets))
  }
  await small.close()
})

test('an aborted count is skipped', async () => {
  const sets: Members = new Map([[1, new Set([1, 2])]])
  const pinned = await write(sets, 1)
  const stop = new AbortController()
  const left = hot.countRule(ADV, leafOf('a', 'n', 1), pinned, { signal: stop.signal })
  const wanted = hot.countRule(ADV, leafOf('b', 'n', 1), pinned)
  stop.abort()
  await expect(left).rejects.toThrow('aborted')
  expect(await wanted).toEqual({ b: 2 })
})

test('databases that stand in for shards give the same answers as one', { timeout: 120_000 }, async () => {
  const shards = ['shard_0', 'shard_1', 'shard_2']
  for (const shard of shards) {
    await warehouse.load.acrossShards.command(`CREATE DATABASE IF NOT EXISTS ${shard}`)
    for (const kind of ['tag', 'crowd'])
      await warehouse.load.acrossShards.command(`CREATE TABLE IF NOT EXISTS ${shard}.${kind}_member AS ${kind}_member`)
  }
  for (const kind of ['tag', 'crowd']) {
    await warehouse.load.acrossShards.command(
      `CREATE OR REPLACE VIEW ${kind}_member_everywhere AS SELECT * FROM merge(REGEXP('^shard_'), '^${kind}_member$')`,
    )
  }
  const tables = { tag: 'tag_member_everywhere', crowd: 'crowd_member_everywhere' }
  const spread = [BUDGET, 0].map((bitmapMemory) => openEvaluator(warehouse, { bitmapMemory, tables }))
  await fc.assert(
    fc.asyncProperty(members, rule, async (sets, rule) => {
      const pinned = await write(sets, ++version)
      for (const [at, shard] of shards.entries()) {
        await warehouse.load.acrossShards.command(
          `INSERT INTO ${shard}.tag_member SELECT * FROM tag_member WHERE version = {version:UInt32} AND bucket % 3 = {at:UInt8}`,
          { version, at },
        )
      }
      const slow = slowCounts(rule, sets)
      for (const evaluator of spread) expect(await evaluator.countRule(ADV, rule, pinned)).toEqual(slow)
    }),
    { numRuns: 6 },
  )
  for (const evaluator of spread) await evaluator.close()
  for (const shard of shards) await warehouse.load.acrossShards.command(`DROP DATABASE ${shard}`)
  for (const table of Object.values(tables)) await warehouse.load.acrossShards.command(`DROP VIEW ${table}`)
})

test('two servers with a shard on each give the same answers as one', { timeout: 120_000 }, async () => {
  const servers = await Promise.all([startClickHouse(), startClickHouse()])
  const shards = await Promise.all(servers.map(({ url }) => testWarehouse({ server: url })))
  const [live, load] = (['live', 'load'] as const).map((pool) => ({
    everyShard: everyShard(shards.map((shard) => shard[pool].acrossShards)),
  })) as [Pick<Handles, 'everyShard'>, Pick<Handles, 'everyShard'>]
  const spread = [BUDGET, 0].map((bitmapMemory) => openEvaluator({ live, load }, { bitmapMemory, lanes: 2 }))
  await fc.assert(
    fc.asyncProperty(members, rule, async (sets, rule) => {
      const pinned = await write(
        sets,
        ++version,
        shards.map((shard) => shard.load.acrossShards),
      )
      const slow = slowCounts(rule, sets)
      for (const evaluator of spread) {
        expect(await evaluator.countRule(ADV, rule, pinned)).toEqual(slow)
        expect(await evaluator.storeRule(ADV, rule, pinned, { crowd_id: 5, version })).toBe(slow[rule.id])
      }
      expect(await spread[0]?.membersOf(ADV, pinned)).toEqual(pinned.map(({ count }) => count))
    }),
    { numRuns: 6 },
  )
  for (const evaluator of spread) await evaluator.close()
  for (const shard of shards) await shard.close()
  for (const server of servers) await server.stop()
})

test('after tags shrink, both versions count like the slow reference', { timeout: 120_000 }, async () => {
  const shrunken = fc
    .record({ sets: members, left: fc.array(fc.constantFrom(0, 1, 2, 7), { minLength: TAGS, maxLength: TAGS }) })
    .map(({ sets, left }) => {
      const stays = (id: number) => left[id - 1] ?? 0
      const keep = (uids: ReadonlySet<number>, every: number) =>
        new Set([...uids].filter((_, at) => every > 0 && at % every === 0))
      return [sets, new Map([...sets].map(([id, uids]) => [id, keep(uids, stays(id))]))] as const
    })
  await fc.assert(
    fc.asyncProperty(shrunken, fc.array(rule, { minLength: 3, maxLength: 3 }), async ([before, after], rules) => {
      const first = await write(before, ++version)
      for (const rule of rules) expect(await hot.countRule(ADV, rule, first)).toEqual(slowCounts(rule, before))
      const second = await write(after, ++version)
      for (const rule of rules) {
        for (const evaluator of [hot, engineOnly]) {
          expect(await evaluator.countRule(ADV, rule, second)).toEqual(slowCounts(rule, after))
          expect(await evaluator.countRule(ADV, rule, first)).toEqual(slowCounts(rule, before))
        }
      }
    }),
    { numRuns: 2 },
  )
})

test('after the engine restarts the same versions count the same', { timeout: 120_000 }, async () => {
  const drawn = fc.sample(fc.record({ sets: members, rules: fc.array(rule, { minLength: 8, maxLength: 8 }) }), 1)[0]
  if (!drawn) throw new Error('nothing was drawn')
  const pinned = await write(drawn.sets, ++version)
  const holds = async () => {
    for (const rule of drawn.rules) {
      const slow = slowCounts(rule, drawn.sets)
      for (const evaluator of [hot, engineOnly]) expect(await evaluator.countRule(ADV, rule, pinned)).toEqual(slow)
    }
  }
  await holds()
  await hot.close()
  await engineOnly.close()
  await warehouse.restart()
  hot = openEvaluator(warehouse, { bitmapMemory: BUDGET, lanes: 2 })
  engineOnly = openEvaluator(warehouse, { bitmapMemory: 0 })
  await holds()
})
