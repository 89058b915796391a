import { getCrowdColumns } from '#contract/crowd-export.ts'
import { serve } from '../../http/serve.ts'
import type { CrowdExportService } from './service.ts'

export const crowdExportRoutes = (exports: CrowdExportService) => [
  serve(getCrowdColumns, ({ viewer, params }) => exports.columns(viewer, params.id)),
]
