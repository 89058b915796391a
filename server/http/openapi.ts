import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { ENDPOINTS } from '#contract/index.ts'
import type { Database } from '../postgres/schema.ts'
import { mount } from './mount.ts'
import { serve } from './serve.ts'
import { openServer } from './server.ts'

/** The API document in `docs/openapi.json`, made from the contract alone, without opening a store. */
export async function openApiText(): Promise<string> {
  const app = await openServer({ host: '127.0.0.1', embedOrigins: [], webRoot: undefined, publicUrl: undefined })
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  const routes = Object.values(ENDPOINTS).map((endpoint) =>
    serve(endpoint, () => Promise.reject(new Error('only described here'))),
  )
  mount(app, routes, { db, publicUrl: undefined })
  await app.ready()
  const text = `${JSON.stringify(app.swagger(), null, 2)}\n`
  await app.close()
  return text
}
