import type { z } from 'zod'
import type { listActivityLog } from '#contract/activity-log.ts'
import type { Viewer } from '../../http/viewer.ts'
import { activityAssets } from './assets.ts'
import { activityChoices } from './choices.ts'
import { controlComparisons } from './control-comparisons.ts'
import type { ActivityDeps } from './deps.ts'
import { detailOf } from './detail.ts'
import { exportActivities } from './export.ts'
import { reportLinks } from './links.ts'
import { listLog } from './log.ts'
import { readActivities } from './read.ts'
import { retryPlans } from './retry.ts'
import { saveActivities } from './save.ts'
import { settlePlans } from './settle.ts'
import { switchActivities } from './switches.ts'
import { plansThere } from './there/open.ts'
import { activityTrends } from './trends.ts'

/** Activities and their plans. */
export function activityService(deps: ActivityDeps & { publicUrl: string | undefined }) {
  const { db, timezone } = deps
  const there = plansThere(deps)
  const { startFrom, ...saves } = saveActivities(deps, there)
  const read = readActivities(deps, there.shown)
  const choices = activityChoices(deps)
  const compareControl = controlComparisons(deps)
  return {
    ...read,
    ...saves,
    ...switchActivities(deps, there),
    ...retryPlans(deps, there.wants),
    settlePlan: settlePlans(deps, there.wants),
    there,
    get: (viewer: Viewer, id: number) => detailOf(db, viewer, id, timezone),
    log: (viewer: Viewer, asked: z.output<typeof listActivityLog.query>) => listLog(db, viewer, asked),
    assets: activityAssets({ db, startFrom }),
    choices,
    trends: activityTrends(deps),
    compareControl,
    exports: exportActivities(deps, read, choices, compareControl),
    links: reportLinks(deps, read, choices, compareControl),
  }
}
export type ActivityService = ReturnType<typeof activityService>
