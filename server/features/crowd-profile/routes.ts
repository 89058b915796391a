import { countOverlap } from '#contract/crowd-overlap.ts'
import { getCrowdChanges, getCrowdProfile, getCrowdSizes } from '#contract/crowd-profile.ts'
import { serve } from '../../http/serve.ts'
import type { CrowdProfileService } from './service.ts'

export const crowdProfileRoutes = (profiles: CrowdProfileService) => [
  serve(getCrowdProfile, ({ viewer, params, query, signal }) => profiles.profile(viewer, params.id, query, signal)),
  serve(getCrowdSizes, ({ viewer, params }) => profiles.sizes(viewer, params.id)),
  serve(getCrowdChanges, ({ viewer, params, query, signal }) => profiles.changes(viewer, params.id, query, signal)),
  serve(countOverlap, ({ viewer, body, signal }) => profiles.overlap(viewer, body.ids, signal)),
]
