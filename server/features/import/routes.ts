import { getImport, listImports, previewImport, previewUndo, startImport, undoImport } from '#contract/import.ts'
import { serve } from '../../http/serve.ts'
import type { ImportService } from './service.ts'

export const importRoutes = (imports: ImportService) => [
  serve(previewImport, ({ viewer, body, signal }) => imports.preview(viewer, body, signal)),
  serve(startImport, ({ viewer, body }) => imports.start(viewer, body)),
  serve(listImports, ({ viewer, query }) => imports.list(viewer, query)),
  serve(getImport, ({ viewer, params }) => imports.get(viewer, params.id)),
  serve(previewUndo, ({ viewer, params, signal }) => imports.previewUndo(viewer, params.id, signal)),
  serve(undoImport, async ({ viewer, params }) => {
    await imports.undo(viewer, params.id)
    return null
  }),
]
