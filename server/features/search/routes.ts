import { searchEverything } from '#contract/search.ts'
import { serve } from '../../http/serve.ts'
import type { SearchService } from './service.ts'

export const searchRoutes = (search: SearchService) => [
  serve(searchEverything, ({ viewer, query }) => search.find(viewer, query)),
]
