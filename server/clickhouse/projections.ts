import { PEOPLE_PROJECTIONS } from './tables/0008-people-lists.ts'
import { REPORT_PROJECTIONS } from './tables/0013-report-lists.ts'

/** The tables whose rows the engine also keeps in another order, or summed up. */
export const PROJECTIONS = [...PEOPLE_PROJECTIONS, ...REPORT_PROJECTIONS]
