import type { Insertable } from 'kysely'
import { addCustomCrowd } from '#contract/custom-crowd.ts'
import type { IdentifierType } from '#contract/identifier.ts'
import type { AudienceCode } from '#contract/platform.ts'
import type { AudienceTable } from '../postgres/schema-custom.ts'
import { now } from '../time/clock.ts'
import type { Caller } from './caller.ts'
import type { TestApp } from './test-app.ts'
import { type ListeningServer, uploadCrowdFile } from './upload.ts'

let made = 0

export interface GivenFile {
  name: string
  content: string | Buffer
}

/** Uploads files; answers them as an add or update call takes them. */
export async function uploaded(at: ListeningServer, caller: Caller, given: readonly GivenFile[]) {
  const files: { name: string; size: number; uri: string }[] = []
  for (const { name, content } of given) {
    const uri = await uploadCrowdFile(at, caller, content, name)
    files.push({ name, size: Buffer.byteLength(content), uri })
  }
  return files
}

/** An uploaded crowd of the first admin; its check may still be running. */
export async function aCustomCrowd(
  app: Pick<TestApp, 'origin' | 'admin'>,
  adv_id: number,
  files: readonly GivenFile[],
  given: { name?: string; dir_id?: number; user_id_type?: IdentifierType; caller?: Caller } = {},
): Promise<number> {
  const { caller = app.admin, ...rest } = given
  const body = { name: `自定义人群${++made}`, dir_id: 1, user_id_type: 'HASH_IMEI' as const, adv_id, ...rest }
  const { id } = await caller.get(addCustomCrowd, { body: { ...body, files: await uploaded(app, caller, files) } })
  return id
}

export async function anAccount(app: TestApp, adv_id: number, platform: AudienceCode, name = `账户${++made}`) {
  const { id } = await app.stores.postgres.db
    .insertInto('platform_account')
    .values({ adv_id, platform, external_id: `${10_000 + ++made}`, name, scope_list: '["all"]' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A child in the state after a push. */
export async function aChild(
  app: TestApp,
  custom_id: number,
  account_id: number,
  cnt_type: AudienceCode,
  given: Partial<Insertable<AudienceTable>> = {},
): Promise<number> {
  const { db } = app.stores.postgres
  const viewer = await db.selectFrom('viewer').select('id').orderBy('id').executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('audience')
    .values({
      custom_id,
      account_id,
      cnt_type,
      types: '["HASH_IMEI"]',
      name: '子人群',
      platform_name: '子人群',
      key: `key${++made}`,
      status: 'available',
      covered: 5000,
      looked_at: now(),
      pushed_version: 1,
      creator_id: viewer.id,
      created_at: now(),
      ...given,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
