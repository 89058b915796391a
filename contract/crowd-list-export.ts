import { listCustomCrowds } from './custom-crowd.ts'
import { listRuleCrowds } from './rule-crowd.ts'

/** How many crowds a file of a list has; a filter that finds more is refused. */
export const LIST_EXPORT_MAX = 100_000

const paging = { page: true, page_size: true } as const

/** Downloads what the filters of the list of rule crowds show, all pages, as csv; not a JSON call. */
export const RULE_LIST_EXPORT_PATH = '/api/people/export'
export const RuleListExport = listRuleCrowds.query.omit({ ...paging, ordinary: true })

/** The same for uploaded crowds. */
export const CUSTOM_LIST_EXPORT_PATH = '/api/v1/gdtcrowd/crowd/custom/export'
export const CustomListExport = listCustomCrowds.query.omit(paging)
