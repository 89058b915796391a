import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENDPOINTS } from '#contract/index.ts'
import { mount } from '../server/http/mount.ts'
import { serve } from '../server/http/serve.ts'
import { openServer } from '../server/http/server.ts'
import { ROOT } from './run.ts'

const OUTPUT = join(ROOT, 'docs', 'openapi.json')

/** The document that a running server gives at /api/docs/json, from the contract alone: no store is opened. */
const app = await openServer({ embedOrigins: [], webRoot: undefined })
const unanswered = Object.values(ENDPOINTS).map((endpoint) =>
  serve(endpoint, () => Promise.reject(new Error('a document only'))),
)
// Nothing is called, so nothing is looked up in a store.
mount(app, unanswered, { db: undefined as never, publicUrl: undefined })
await app.ready()
mkdirSync(join(ROOT, 'docs'), { recursive: true })
writeFileSync(OUTPUT, `${JSON.stringify(app.swagger(), null, 2)}\n`)
await app.close()
console.log(OUTPUT)
