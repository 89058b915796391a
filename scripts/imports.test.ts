import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from './run.ts'

const CONFIG = join(ROOT, '.dependency-cruiser.mjs')
const ROOTS = ['contract', 'server', 'cli', 'web', 'sandbox', 'e2e', 'bench', 'scripts']
const made: string[] = []

type Cruise = {
  modules: { source: string; dependencies: { resolved: string }[] }[]
  summary: { violations: { from: string; to: string; rule: { name: string } }[] }
}

function cruise(root: string): Cruise {
  const program = join(ROOT, 'node_modules', '.bin', 'depcruise')
  const done = spawnSync(
    program,
    ['--config', CONFIG, '--output-type', 'json', ...ROOTS.filter((name) => existsSync(join(root, name)))],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 256 * 2 ** 20,
    },
  )
  try {
    return JSON.parse(done.stdout) as Cruise
  } catch {
    throw new Error(done.stderr || done.stdout)
  }
}

/** A small repository of the same shape, with stand-ins for the packages that the rules name. */
function repository(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'renqun-imports-'))
  made.push(root)
  const all: Record<string, string> = {
    'package.json': JSON.stringify({ type: 'module', imports: { '#contract/*': './contract/*' } }),
    ...Object.fromEntries(ROOTS.map((name) => [`${name}/empty.ts`, 'export {}\n'])),
    ...Object.fromEntries(
      ['zod', 'fastify', 'kysely'].flatMap((name) => [
        [`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' })],
        [`node_modules/${name}/index.js`, 'module.exports = {}\n'],
      ]),
    ),
    ...files,
  }
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return root
}

afterAll(() => {
  for (const root of made) rmSync(root, { recursive: true, force: true })
})

let repositoryCruise: Cruise
beforeAll(() => {
  repositoryCruise = cruise(ROOT)
})

test('this repository keeps the import rules, and its imports are found', () => {
  const { modules, summary } = repositoryCruise
  expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([])
  // A parser that cannot read TypeScript reports no imports, so no rule would be broken.
  expect(
    modules.filter(({ source, dependencies }) => source.startsWith('server/') && dependencies.length > 0).length,
  ).toBeGreaterThan(30)
  expect(modules.some(({ source, dependencies }) => source.endsWith('.tsx') && dependencies.length > 0)).toBe(true)
})

/** The rows of the server's table in docs/architecture.md: folder or file, and what the last column lists. */
function serverTable(): [name: string, imports: string[]][] {
  const page = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8')
  const rows = page.matchAll(/^\| `server\/([\w.-]+)\/?` \|.*\| ?([^|]*?) ?\|$/gm)
  return [...rows].map(([, name, imports]) => [name as string, (imports as string).split(', ').filter(Boolean)])
}
/** The folder of `server/`, or the file in it. */
const placeOf = (path: string) => /^server\/([^/]+)/.exec(path)?.[1]
const EVERYTHING = 'everything on the server'
const ERRORS = ['errors.ts', 'start-error.ts', 'end-now.ts']

test('the map of the server lists its folders, and what each imports', () => {
  const table = serverTable()
  const places = readdirSync(join(ROOT, 'server')).filter((name) => !/^\.|^tsconfig|\.test\.ts$/.test(name))
  expect(table.map(([name]) => name).sort()).toEqual(places.sort())

  const found = new Map(places.map((name) => [name, new Set<string>()]))
  for (const { source, dependencies } of repositoryCruise.modules) {
    if (source.endsWith('.test.ts')) continue
    for (const { resolved } of dependencies) {
      const to = placeOf(resolved)
      if (to && to !== placeOf(source) && !ERRORS.includes(to)) found.get(placeOf(source) ?? '')?.add(to)
    }
  }
  const listed = table.filter(([, imports]) => !imports.includes(EVERYTHING))
  const sorted = (rows: [string, Iterable<string>][]) => rows.map(([name, imports]) => [name, [...imports].sort()])
  expect(sorted(listed)).toEqual(sorted(listed.map(([name]) => [name, found.get(name) ?? []])))
})

test('a row of the map imports only rows below it', () => {
  const names = serverTable().map(([name]) => name)
  const upwards = serverTable().flatMap(([name, imports]) =>
    imports
      .filter((other) => names.includes(other) && names.indexOf(other) < names.indexOf(name))
      .map((other) => `${name} → ${other}`),
  )
  expect(upwards).toEqual([])
})

const it = "export const it = 'it'\n"
const uses = (path: string) => `import { it } from '${path}'\nconsole.log(it)\n`
const typeOnly = (path: string) => `import type { It } from '${path}'\nexport type Ours = It\n`

const FORBIDDEN = [
  ['contract-alone', 'contract/a.ts', 'server/b.ts', uses('../server/b.ts')],
  ['contract-alone', 'contract/a.ts', 'node_modules/kysely/index.js', uses('kysely')],
  ['contract-alone', 'contract/a.ts', 'fs', uses('node:fs')],
  ['server-not-web', 'server/a.ts', 'web/lib/b.ts', uses('../web/lib/b.ts')],
  ['web-not-server', 'web/lib/a.ts', 'server/b.ts', typeOnly('../../server/b.ts')],
  ['web-not-server', 'web/pages/a/A.tsx', 'server/b.ts', uses('../../../server/b.ts')],
  ['sandbox-alone', 'sandbox/a.ts', 'contract/b.ts', uses('#contract/b.ts')],
  ['features-apart', 'server/features/tag/a.ts', 'server/features/folder/b.ts', uses('../folder/b.ts')],
  ['features-apart', 'server/features/custom-crowd/a.ts', 'server/features/push/b.ts', typeOnly('../push/b.ts')],
  ['features-apart', 'server/features/push/a.ts', 'server/features/custom-crowd/b.ts', uses('../custom-crowd/b.ts')],
  ['features-apart', 'server/features/audience/a.ts', 'server/features/push/b.ts', typeOnly('../push/b.ts')],
  ['audiences-of-crowds', 'server/features/tag/a.ts', 'server/features/audience/b.ts', uses('../audience/b.ts')],
  ['features-below-app', 'server/features/tag/a.ts', 'server/app.ts', uses('../../app.ts')],
  ['features-below-app', 'server/jobs/a.ts', 'server/process/runtime.ts', uses('../process/runtime.ts')],
  ['stores-below-features', 'server/crowds/a.ts', 'server/features/audience/b.ts', uses('../features/audience/b.ts')],
  ...['config', 'network', 'stores', 'time'].flatMap((folder) => [
    ['features-below-app', `server/${folder}/a.ts`, 'server/services.ts', uses('../services.ts')] as const,
    [
      'stores-below-features',
      `server/${folder}/a.ts`,
      'server/features/tag/b.ts',
      typeOnly('../features/tag/b.ts'),
    ] as const,
  ]),
  ['stores-below-features', 'server/postgres/a.ts', 'server/features/tag/b.ts', uses('../features/tag/b.ts')],
  ['files-alone', 'server/files/a.ts', 'server/ingest/b.ts', uses('../ingest/b.ts')],
  ['identifiers-below-ingest', 'server/identifiers/a.ts', 'server/ingest/b.ts', uses('../ingest/b.ts')],
  ['reading-before-storing', 'server/ingest/reading/a.ts', 'server/ingest/storing/b.ts', typeOnly('../storing/b.ts')],
  ['fastify-in-http', 'server/features/tag/a.ts', 'node_modules/fastify/index.js', uses('fastify')],
  ['web-features-below', 'web/features/tag/A.tsx', 'web/pages/tags/b.ts', uses('../../pages/tags/b.ts')],
  ['web-features-apart', 'web/features/tag/A.tsx', 'web/features/folder/b.ts', uses('../folder/b.ts')],
  ['web-features-apart', 'web/features/audience/A.tsx', 'web/features/push/b.ts', uses('../push/b.ts')],
  ['web-pages-below', 'web/pages/tags/A.tsx', 'web/pages/home/b.ts', uses('../home/b.ts')],
  ['web-domain-below', 'web/domain/crowd/A.tsx', 'web/features/tag/b.ts', uses('../../features/tag/b.ts')],
  ['web-components-below', 'web/components/A.tsx', 'web/domain/crowd/b.ts', uses('../domain/crowd/b.ts')],
  ['web-components-below', 'web/components/A.tsx', 'web/features/tag/b.ts', uses('../features/tag/b.ts')],
  ['lib-below-components', 'web/lib/a.ts', 'web/components/b.ts', uses('../components/b.ts')],
  ['sandbox-by-url', 'server/platforms/a.ts', 'sandbox/b.ts', uses('../../sandbox/b.ts')],
  ['no-test-imports', 'server/time/a.ts', 'server/time/b.test.ts', uses('./b.test.ts')],
  ['no-unresolvable', 'server/time/a.ts', './missing.ts', uses('./missing.ts')],
] as const

/** Two files that import each other. */
const CYCLE = { 'server/time/one.ts': uses('./other.ts') + it, 'server/time/other.ts': uses('./one.ts') + it }

test('a forbidden import is found', () => {
  // Each in a file of its own, so that one run finds them all.
  const named = FORBIDDEN.map(([rule, from, to, content], at) => ({
    rule,
    to,
    content,
    from: from.replace(/(\w)(\.tsx?)$/, `$1${at}$2`),
  }))
  const ours = named.filter(({ to }) => /^(?!node_modules).*\//.test(to) && !to.startsWith('./'))
  const files = [
    ...ours.map(({ to }) => [to, `${it}export type It = string\n`]),
    ...named.map(({ from, content }) => [from, content]),
  ]
  const { violations } = cruise(repository({ ...Object.fromEntries(files), ...CYCLE })).summary
  const found = violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
  expect(found).toEqual(expect.arrayContaining(named.map(({ rule, from, to }) => `${rule}: ${from} → ${to}`)))
  expect(found).toContain('no-circular: server/time/one.ts → server/time/other.ts')
})

test('a forbidden import is planted for each rule', async () => {
  const { default: config } = (await import(CONFIG)) as { default: { forbidden: { name: string }[] } }
  const planted = new Set<string>([...FORBIDDEN.map(([rule]) => rule), 'no-circular'])
  expect(config.forbidden.map(({ name }) => name).filter((name) => !planted.has(name))).toEqual([])
})

test('allowed imports are not reported', () => {
  const root = repository({
    'contract/b.ts': `import { it } from 'zod'\nexport { it }\n`,
    'server/http/a.ts': uses('fastify'),
    'server/features/tag/a.ts': uses('#contract/b.ts'),
    'web/features/tag/a.ts': uses('#contract/b.ts') + uses('../../lib/paths.ts').replaceAll('it', 'path'),
    'web/lib/paths.ts': "export const path = '/'\n",
    'cli/a.ts': uses('../server/b.ts'),
    'server/b.ts': it,
  })
  expect(cruise(root).summary.violations).toEqual([])
})
