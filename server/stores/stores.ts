import type { Warehouse } from '../clickhouse/open.ts'
import type { Secrets } from '../config/secrets.ts'
import type { Settings } from '../config/settings.ts'
import type { Jobs } from '../jobs/open.ts'
import type { Postgres } from '../postgres/open.ts'

/** What one process holds open, and every service is built from. */
export type Stores = {
  settings: Settings
  postgres: Postgres
  warehouse: Warehouse
  jobs: Jobs
  secrets: Secrets
  /** This start of this process: what it holds in the records names it. */
  instance: string
}
