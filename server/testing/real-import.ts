import type { importEvents } from '../commands/import.ts'
import { realFile } from './real-data.ts'
import type { TestApp } from './test-app.ts'

/** Types a command with the folder of real rows as its directory, waits for all that follows, and returns the advertiser. */
export async function typeCommand(app: TestApp, command: Pick<typeof importEvents, 'run'>, ...argv: string[]) {
  const report = { progress: () => {}, print: () => {} }
  await command.run(app, { argv, cwd: realFile('.'), signal: new AbortController().signal }, report)
  await app.settled()
  const { id } = await app.stores.postgres.db.selectFrom('advertiser').select('id').executeTakeFirstOrThrow()
  return id
}

export async function tagNamed(app: TestApp, category: string, name: string) {
  const { id, tag_type } = await app.stores.postgres.db
    .selectFrom('tag')
    .innerJoin('tag_category', 'tag_category.id', 'tag.category_id')
    .select(['tag.id', 'tag.tag_type'])
    .where('tag_category.name', '=', category)
    .where('tag.name', '=', name)
    .executeTakeFirstOrThrow()
  return { id, tag_type }
}
