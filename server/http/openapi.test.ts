import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { FAULTS } from '#contract/errors.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { Rule } from '#contract/rule.ts'
import { undescribedProperties } from '../testing/undescribed.ts'
import { DESCRIBED_EXAMPLES, EXAMPLES, wantsExample } from './api-examples.ts'
import { openApiText } from './openapi.ts'

const text = await openApiText()
const { paths, components, info } = JSON.parse(text)

test('docs/openapi.json matches the contract; `npm run openapi` writes it', () => {
  expect(text).toBe(readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'openapi.json'), 'utf8'))
})

test('the document has every call, with its answer and its failures', () => {
  for (const { method, path } of Object.values(ENDPOINTS)) {
    const said = paths[path]?.[method.toLowerCase()]
    expect(said?.summary, `${method} ${path}`).toBeTruthy()
    // Both spellings of a call of the provider service.
    const other = path.replace(/^\/api\/v1\//, '/v1/')
    expect(paths[other]?.[method.toLowerCase()]?.summary, `${method} ${other}`).toBe(said.summary)
    expect(Object.keys(said.responses)).toEqual(['200', '4XX', '5XX'])
  }
})

test('every property and parameter is described', () => {
  expect(undescribedProperties({ paths, components })).toEqual([])
})

test('every text and number has an example that its own schema accepts', () => {
  const without: string[] = []
  const refused: string[] = []
  const look = (name: string, schema: Parameters<typeof wantsExample>[0]) => {
    if (!wantsExample(schema)) return
    // The library reads patterns without the flag that they need.
    const { examples, pattern = '', ...bare } = schema
    if (!examples) without.push(name)
    const checked = z.fromJSONSchema(bare as Parameters<typeof z.fromJSONSchema>[0])
    for (const example of examples ?? []) {
      if (!checked.safeParse(example).success || !new RegExp(pattern, 'u').test(String(example))) refused.push(name)
    }
  }
  const walk = (part: unknown) => {
    if (typeof part !== 'object' || part === null) return
    const { properties, name, schema } = part as { properties?: object; name?: unknown; schema?: object }
    for (const [property, of] of Object.entries(properties ?? {})) look(property, of)
    if (typeof name === 'string' && 'in' in part && schema) look(name, schema)
    for (const inner of Object.values(part)) walk(inner)
  }
  walk([paths, components])
  expect({ without: [...new Set(without)], refused }).toEqual({ without: [], refused: [] })
})

test('every example stands in the document', () => {
  const shown = new Set<string>()
  JSON.parse(text, (key, value) => {
    if (key === 'examples') shown.add(JSON.stringify((value as unknown[])[0]))
    return value
  })
  const all = [...Object.values(EXAMPLES).flat(), ...Object.values(DESCRIBED_EXAMPLES)]
  expect(all.map((value) => JSON.stringify(value)).filter((value) => !shown.has(value))).toEqual([])
})

test('a property without a description is found wherever it stands', () => {
  const of = (schema: object) => ({
    paths: { '/a': { post: { requestBody: { content: { 'application/json': { schema } } } } } },
    components: { schemas: { Known: { description: '已知', type: 'object', properties: { deep: {} } } } },
  })
  const described = { description: '有' }
  expect(undescribedProperties(of({ properties: { a: described } }))).toEqual(['Known.deep'])
  for (const schema of [
    { properties: { a: {} } },
    { items: { properties: { a: {} } } },
    { anyOf: [{ properties: { a: {} } }] },
    { allOf: [{ oneOf: [{ properties: { a: {} } }] }] },
    { prefixItems: [{ properties: { a: {} } }] },
    { additionalProperties: { properties: { a: {} } } },
    { properties: { a: { anyOf: [{ type: 'null' }, {}] } } },
    { properties: { a: { $ref: '#/components/schemas/Unknown' } } },
  ]) {
    expect(undescribedProperties(of(schema)), JSON.stringify(schema)).toContain('POST /a.a')
  }
  const known = of({ properties: { a: { anyOf: [{ $ref: '#/components/schemas/Known' }, { type: 'null' }] } } })
  expect(undescribedProperties(known)).toEqual(['Known.deep'])
})

test('the rule is one recursive schema with two worked examples, which the server accepts', () => {
  const body = paths['/api/peoplerule/{rId}'].put.requestBody.content['application/json'].schema
  const name = body.properties.rule.$ref.split('/').at(-1)
  const { properties, examples } = components.schemas[name]
  expect(properties.exps.items.$ref).toBe(body.properties.rule.$ref)
  expect(examples).toHaveLength(2)
  for (const example of examples) expect(Rule.safeParse(example).error).toBeUndefined()
})

test('the table of errors has every code with its HTTP status and its sentence', () => {
  for (const { code, status, msg } of Object.values(FAULTS)) {
    expect(info.description).toContain(`| ${code} | ${status} | ${msg} |`)
  }
})

test('every schema of the components is used', () => {
  for (const name of Object.keys(components.schemas)) {
    expect(text.split(`"#/components/schemas/${name}"`).length, name).toBeGreaterThan(1)
  }
})
