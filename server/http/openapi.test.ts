import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ENDPOINTS } from '#contract/index.ts'
import { openApiText } from './openapi.ts'

test('docs/openapi.json matches the contract; `npm run openapi` writes it', async () => {
  const kept = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'openapi.json'), 'utf8')
  expect(await openApiText()).toBe(kept)
})

test('the document has every call, with its answer and its failures', async () => {
  const { paths } = JSON.parse(await openApiText())
  for (const { method, path } of Object.values(ENDPOINTS)) {
    const said = paths[path]?.[method.toLowerCase()]
    expect(said?.summary, `${method} ${path}`).toBeTruthy()
    // Both spellings of a call of the provider service.
    const other = path.replace(/^\/api\/v1\//, '/v1/')
    expect(paths[other]?.[method.toLowerCase()]?.summary, `${method} ${other}`).toBe(said.summary)
    expect(Object.keys(said.responses)).toEqual(['200', '4XX', '5XX'])
  }
})
