import type { z } from 'zod'
import type { listTargetingHistory } from '#contract/targeting-package.ts'
import type { Viewer } from '../../http/viewer.ts'
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

/** Targeting packages of platform accounts. */
export function targetingPackageService(deps: PackageDeps & MirrorDeps) {
  const { db } = deps
  const queue = mirrorQueue(deps)
  const { write, ...saves } = savePackages({ ...deps, mirror: queue })
  const checks = lostCrowdChecks(deps)
  return {
    ...readPackages({ db, onOpening: checks.onOpening, mirror: queue }),
    ...saves,
    ...copyPackages({ ...deps, mirror: queue }),
    ...removePackages({ db, mirror: queue, write }),
    mirror: targetingMirror(deps, queue, write),
    history: (viewer: Viewer, asked: z.output<typeof listTargetingHistory.query>) => listVersions(db, viewer, asked),
  }
}
export type TargetingPackageService = ReturnType<typeof targetingPackageService>
