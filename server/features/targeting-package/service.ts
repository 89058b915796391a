import type { Transaction } from 'kysely'
import type { z } from 'zod'
import type { listTargetingHistory } from '#contract/targeting-package.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import { copyPackages } from './copy.ts'
import type { PackageDeps } from './deps.ts'
import { lostCrowdChecks } from './lost-crowds.ts'
import type { MirrorDeps } from './mirror/deps.ts'
import { targetingMirror } from './mirror/open.ts'
import { mirrorQueue } from './mirror/queue.ts'
import { readPackages } from './read.ts'
import { removePackages } from './remove.ts'
import { savePackages } from './save.ts'
import { listVersions } from './versions.ts'

type Retargeted = (tx: Transaction<Database>, package_id: number) => Promise<void>

/** Targeting packages of platform accounts. */
export function targetingPackageService(deps: PackageDeps & MirrorDeps) {
  const { db } = deps
  const queue = mirrorQueue(deps)
  const listeners: Retargeted[] = []
  const retargeted: Retargeted = async (tx, package_id) => {
    for (const listener of listeners) await listener(tx, package_id)
  }
  const { write, ...saves } = savePackages({ ...deps, mirror: queue, retargeted })
  const checks = lostCrowdChecks(deps)
  return {
    ...readPackages({ db, onOpening: checks.onOpening, mirror: queue }),
    ...saves,
    ...copyPackages({ ...deps, mirror: queue }),
    ...removePackages({ db, mirror: queue, write }),
    mirror: targetingMirror(deps, queue, write),
    /** Calls the listener in each transaction in which a package begins to restrict something else. */
    onRetargeted: (listener: Retargeted) => void listeners.push(listener),
    history: (viewer: Viewer, asked: z.output<typeof listTargetingHistory.query>) => listVersions(db, viewer, asked),
  }
}
export type TargetingPackageService = ReturnType<typeof targetingPackageService>
