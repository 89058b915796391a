import {
  ACTIVITY_EXPORT_PATH,
  ActivityExport,
  DAY_REPORT_EXPORT_PATH,
  DayReportExport,
} from '#contract/activity-export.ts'
import { CROWD_EXPORT_PATH, CrowdExport } from '#contract/crowd-export.ts'
import {
  CUSTOM_LIST_EXPORT_PATH,
  CustomListExport,
  RULE_LIST_EXPORT_PATH,
  RuleListExport,
} from '#contract/crowd-list-export.ts'
import { FileOfLines, MALFORMED_PATH } from '#contract/custom-crowd.ts'
import { ImportOfRows, REFUSED_PATH } from '#contract/import.ts'
import { LINK_USER_DOWNLOAD_PATH, LinkUserDownload } from '#contract/link-user.ts'
import { SUPPRESSION_EXPORT_PATH, SuppressionExportQuery } from '#contract/suppression.ts'
import { type Callers, type DownloadOf, mountDownload } from './http/file-download.ts'
import type { FastifyInstance } from './http/plain-route.ts'
import type { Services } from './services.ts'

/** Every file that a person can download. */
export function mountDownloads(app: FastifyInstance, callers: Callers, services: Services): void {
  const { suppression, linkUsers, crowdExports, crowds, customCrowds, imports } = services
  const { exports } = services.activities
  const serve: DownloadOf = (path, query, fileFor) => mountDownload(app, callers, path, query, fileFor)
  serve(SUPPRESSION_EXPORT_PATH, SuppressionExportQuery, suppression.export)
  serve(LINK_USER_DOWNLOAD_PATH, LinkUserDownload, linkUsers.export)
  serve(CROWD_EXPORT_PATH, CrowdExport, crowdExports.export)
  serve(RULE_LIST_EXPORT_PATH, RuleListExport, crowds.exportList)
  serve(CUSTOM_LIST_EXPORT_PATH, CustomListExport, customCrowds.exportList)
  serve(MALFORMED_PATH, FileOfLines, customCrowds.malformed)
  serve(REFUSED_PATH, ImportOfRows, imports.refusedFile)
  serve(ACTIVITY_EXPORT_PATH, ActivityExport, exports.list)
  serve(DAY_REPORT_EXPORT_PATH, DayReportExport, exports.dayReport)
}
