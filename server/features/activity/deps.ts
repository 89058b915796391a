import type { Kysely } from 'kysely'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import type { Database } from '../../postgres/schema.ts'

export interface ActivityDeps {
  db: Kysely<Database>
  live: AcrossShards
  timezone: string
}
