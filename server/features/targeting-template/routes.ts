import * as contract from '#contract/targeting-template.ts'
import { serve } from '../../http/serve.ts'
import type { TargetingTemplateService } from './service.ts'

export const targetingTemplateRoutes = (templates: TargetingTemplateService) => [
  serve(contract.listTemplates, ({ viewer, query }) => templates.list(viewer, query)),
  serve(contract.getTemplate, ({ viewer, query }) => templates.get(viewer, query)),
  serve(contract.addTemplate, ({ viewer, body }) => templates.add(viewer, body)),
  serve(contract.renameTemplate, async ({ viewer, body }) => {
    await templates.rename(viewer, body)
    return null
  }),
  serve(contract.deleteTemplate, async ({ viewer, body }) => {
    await templates.remove(viewer, body.id)
    return null
  }),
]
