import * as contract from '#contract/control-group.ts'
import { serve } from '../../http/serve.ts'
import type { ControlGroupService } from './service.ts'

export const controlGroupRoutes = (groups: ControlGroupService) => [
  serve(contract.getControlGroup, ({ viewer, query }) => groups.get(viewer, query)),
  serve(contract.setControlGroup, async ({ viewer, body }) => {
    await groups.set(viewer, body)
    return null
  }),
]
