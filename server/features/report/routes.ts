import * as contract from '#contract/report.ts'
import { serve } from '../../http/serve.ts'
import type { ReportService } from './service.ts'

export const reportRoutes = (reports: ReportService) => [
  serve(contract.getReportSync, ({ viewer, query }) => reports.state(viewer, query)),
  serve(contract.syncReports, ({ viewer, body }) => reports.sync(viewer, body)),
  serve(contract.listUnlinkedPlans, ({ viewer, query }) => reports.unlinked(viewer, query)),
  serve(contract.listReportMarks, ({ viewer, query }) => reports.marks(viewer, query)),
  serve(contract.listDayMarks, ({ viewer, query }) => reports.dayMarks(viewer, query)),
]
