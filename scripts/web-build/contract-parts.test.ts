import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { ROOT } from '../run.ts'
import { type Declared, partsOf } from './contract-parts.ts'
import { lostUses } from './lean-contract.ts'

const cut = (code: string, name = 'a.js') => {
  const { plain, schemas, names } = partsOf(code, parseSync(name, code).program as unknown as Declared)
  return { plain, schemas: schemas('a.ts?plain'), names: names('a.ts') }
}

const SAMPLE = `
import { z } from 'zod'
import { Id, PAGE_SIZE, keysOf } from './common.ts'
import { endpoint } from './endpoint.ts'
export { outcome } from './make.ts'
export const STATES = { on: 'ON', off: 'OFF' }
const LIMIT = PAGE_SIZE * 2
export const State = z.enum(keysOf(STATES))
export const isState = (value) => State.safeParse(value).success
export const stateName = (state) => STATES[state]
export const listStates = endpoint({
  method: 'GET', path: '/api/state', group: 'a', summary: \`at most \${LIMIT}\`,
  query: z.object({ id: Id.max(LIMIT) }), data: z.array(State), changes: true,
})
`

test('a call keeps what is sent, and is no longer made of schemas', () => {
  const { plain } = cut(SAMPLE)
  expect(plain).toContain("export const listStates = ({ method: 'GET', path: '/api/state', changes: true })")
  expect(plain).toContain('export const STATES')
  expect(plain).toContain('export const stateName')
  expect(plain).not.toMatch(/State = z|isState/)
})

test('schemas and what uses them are another module, which knows the rest', () => {
  const { schemas } = cut(SAMPLE)
  expect(schemas).toContain('import { STATES, LIMIT, stateName, listStates } from "a.ts?plain"')
  expect(schemas).toContain('export const State = /* @__PURE__ */ (() => z.enum(keysOf(STATES)))()')
  expect(schemas).toContain('export const isState')
  expect(schemas).not.toContain('export const STATES')
})

test('every name can still be imported from the module itself', () => {
  expect(cut(SAMPLE).names.split('\n')).toEqual([
    'export { STATES, stateName, listStates } from "a.ts?plain"',
    'export { State, isState } from "a.ts?schemas"',
    "export { outcome } from './make.ts'",
  ])
})

const modules = globSync('contract/**/*.ts', { cwd: ROOT }).filter((path) => !path.endsWith('.test.ts'))

test.each(modules)('%s: only its schemas use zod', (path) => {
  const { plain } = cut(readFileSync(join(ROOT, path), 'utf8'), path)
  const code = plain
    .replaceAll(/^(import|export) .* from .*$/gm, '')
    .replaceAll(/^(export )?(type|interface) .*$/gm, '')
  expect(code).not.toMatch(/\bz\.(?!(output|input|infer|Zod)\w*)\w+\(/)
})

test('a page that takes a schema from a call is told so', () => {
  const from = (code: string) => lostUses(`import { createTag, TAG_MAX } from "#contract/tag.ts"\n${code}`)
  expect(from('rule(createTag.body.shape.name)')).toEqual(['createTag.body'])
  expect(from('queryOf(createTag).data')).toEqual([])
})
