import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { listTargetingHistory } from '#contract/targeting-package.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import { readPackages } from './read.ts'
import { removePackages } from './remove.ts'
import { savePackages } from './save.ts'
import { listVersions } from './versions.ts'

interface Deps {
  db: Kysely<Database>
  timezone: string
}

/** Targeting packages of platform accounts. */
export const targetingPackageService = ({ db, timezone }: Deps) => ({
  ...readPackages(db),
  ...savePackages({ db, timezone }),
  ...removePackages(db),
  history: (viewer: Viewer, asked: z.output<typeof listTargetingHistory.query>) => listVersions(db, viewer, asked),
})
export type TargetingPackageService = ReturnType<typeof targetingPackageService>
