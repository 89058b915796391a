import { PEOPLE_PROJECTIONS } from './tables/0008-people-lists.ts'
import { REPORT_PROJECTIONS } from './tables/0013-report-lists.ts'
import { PEOPLE_BY_DAY } from './tables/0014-people-by-day.ts'
import { BY_PLAN } from './tables/0015-report-layouts.ts'

/** The tables whose rows the engine also keeps in another order, or summed up: table, name, select, settings. */
export const PROJECTIONS: readonly (readonly [string, string, string, string?])[] = [
  ...PEOPLE_PROJECTIONS.filter(([, name]) => name !== 'by_day'),
  ...REPORT_PROJECTIONS.filter(([, name]) => name !== 'by_plan'),
  BY_PLAN,
  PEOPLE_BY_DAY,
]

/** The projections that any version of the program has given a table. */
export const projectionsEver = (table: string): string[] => [
  ...new Set(
    [...PEOPLE_PROJECTIONS, ...REPORT_PROJECTIONS, ...PROJECTIONS].flatMap(([own, name]) =>
      own === table ? [name] : [],
    ),
  ),
]
