import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { missingNames, type Sources, sourcesOf } from './doc-names.ts'
import { ROOT } from './run.ts'

const DOCUMENTS = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })]
/** Names that documents may mention although the sources do not have them. */
const ALLOWED: Record<string, string> = {
  './data': 'made by a start',
  'DATA_DIR/uploads': 'made by a start',
  proxy_set_header: 'a setting of nginx',
  npx: 'a command of npm',
  cluster: 'a function of the engine',
  flock: 'a call that Node does not have',
  cron_on: "a column of pg-boss's own scheduler",
  'custom_audiences/update': 'a call of Tencent Ads that we do not use',
  'multipart/form-data': 'a media type',
  'proper-lockfile': 'a library that was not taken',
  'fast-xml-parser': 'a library that was not taken',
  '@fastify/busboy': 'a library that was not taken',
  '@electric-sql/pglite-socket': 'a library that was not taken',
  savedBySql: 'what a newcomer adds',
}

const SELF = 'scripts/doc-names.test.ts'
const sources = sourcesOf(ROOT, (file) => file === SELF)
const missingIn = (document: string) =>
  missingNames(readFileSync(join(ROOT, document), 'utf8'), dirname(document), sources)

test.each(DOCUMENTS)('every name and path of %s exists', (document) => {
  const missing = missingIn(document).filter(({ name }) => !(name in ALLOWED))
  expect(missing.map(({ line, name }) => `${document}:${line}: ${name}`)).toEqual([])
})

test('every allowed name is mentioned and still missing', () => {
  const missing = new Set(DOCUMENTS.flatMap((document) => missingIn(document).map(({ name }) => name)))
  expect(Object.keys(ALLOWED).filter((name) => !missing.has(name))).toEqual([])
})

const PLANTED: Sources = {
  paths: ['server/', 'server/jobs/', 'server/jobs/open.ts', 'docs/', 'docs/a.md'],
  words: new Set(['countRule', 'PLATFORM_VIDEO_URL', 'DATABASE', 'x', 'job']),
  text: "fetch('/api/people'); headers['sec-fetch-site']",
  commands: new Set(['bench']),
}

test.each([
  'a function `countRules`',
  'a member `job.gone`',
  'a file `server/jobs/gone.ts`',
  'a file `gone.ts`',
  'a folder `server/gone/`',
  'a link to [a page](gone.md)',
  'a command `npm run gone -- 1`',
  'a call `/api/gone`',
  'a package `gone-package`',
])('finds that %s does not exist', (line) => {
  expect(missingNames(`x\n${line}\n`, 'docs', PLANTED)).toEqual([expect.objectContaining({ line: 2 })])
})

test.each([
  'a function `countRule`, a statement `x.job()`',
  'a file `server/jobs/open.ts`, `jobs/open.ts`, `open.ts`, `server/<any>/{open,close}.ts`, `jobs/*.ts`',
  'a folder `server/jobs/`, `server/jobs`',
  'a link to [a page](a.md), [the web](https://gone.example)',
  'a command `npm run bench -- rules`',
  'a call `/api/people/<id>`, a header `Sec-Fetch-Site`',
  'a part of a name `PLATFORM_VIDEO_`',
])('finds %s', (line) => {
  expect(missingNames(line, 'docs', PLANTED)).toEqual([])
})

test('blocks of code and names that only comments mention', () => {
  expect(missingNames('```ts\n`gone`\n```', 'docs', PLANTED)).toEqual([])
  expect(sources.words.has('missingNames')).toBe(true)
  expect(sources.text).not.toContain('A name that only a comment still mentions')
})
