import * as contract from '#contract/targeting-tags.ts'
import { serve } from '../../http/serve.ts'
import type { TargetingDictionaryService } from './service.ts'

export const targetingDictionaryRoutes = (dictionaries: TargetingDictionaryService) => [
  serve(contract.getTags, ({ viewer, query, signal }) => dictionaries.tags(viewer, query, signal)),
  serve(contract.findTags, ({ viewer, body, signal }) => dictionaries.tags(viewer, body, signal)),
  serve(contract.listTargetingCrowds, ({ viewer, query }) => dictionaries.crowds(viewer, query)),
]
