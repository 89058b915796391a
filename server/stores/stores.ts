import type { Warehouse } from '../clickhouse/open.ts'
import type { Secrets } from '../config/secrets.ts'
import type { Settings } from '../config/settings.ts'
import type { Jobs } from '../jobs/open.ts'
import type { Postgres } from '../postgres/open.ts'

/** The stores of one process; every service is built from them. */
export type Stores = {
  settings: Settings
  postgres: Postgres
  warehouse: Warehouse
  jobs: Jobs
  secrets: Secrets
  /** The id of this start of the process; its holds in the records name it. */
  instance: string
}
