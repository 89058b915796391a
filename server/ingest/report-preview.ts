import type { ReportsMapping } from '#contract/import.ts'
import type { AcrossShards, ThisMachine } from '../clickhouse/handles.ts'
import type { FileHead } from '../files/head.ts'
import { countedRows, FILES_IN_FORCE } from '../reports/rows-in-force.ts'
import type { LinkedPlan } from './load-types.ts'
import { readReportRows } from './row-check.ts'

/** The most rows of a file that are compared with what is stored. */
export const COMPARED_ROWS = 5000
/** Plans and days that are named. */
const EXAMPLES = 5
const PLANS_OF_EXAMPLE = 3

interface ReportsAt {
  adv_id: number
  mapping: ReportsMapping
  linked: readonly LinkedPlan[]
  timezone: string
  nowMs: number
  signal: AbortSignal
}

/** What an import of these rows would store that no activity shows, and what of earlier files would no longer count. */
export async function comparedReports(
  engines: { file: ThisMachine; stored: AcrossShards },
  head: FileHead,
  { adv_id, mapping, linked, signal, ...at }: ReportsAt,
) {
  const rows = await readReportRows(engines.file, head, { mapping, signal, ...at })
  return {
    rows: head.rows.length,
    is_whole: head.isWhole,
    ...unlinkedIn(rows, linked),
    replaced: await replacedBy(engines.stored, adv_id, rows, signal),
  }
}

type Row = Awaited<ReturnType<typeof readReportRows>>[number]

function unlinkedIn(rows: readonly Row[], linked: readonly LinkedPlan[]) {
  const named = new Set(linked.map(({ account_id, plan_id }) => `${account_id}\n${plan_id}`))
  const plans = new Set(linked.map(({ plan_id }) => plan_id))
  const isLinked = ({ account_id, plan_id }: Row) =>
    named.has(`${account_id}\n${plan_id}`) || (account_id === '' && plans.has(plan_id))
  const shown = Map.groupBy(
    rows.filter((row) => row.plan_id !== '' && !isLinked(row)),
    ({ account_id, plan_id }) => `${account_id}\n${plan_id}`,
  )
  const found = [...shown.values()].flatMap((own) => {
    const [first] = own
    return first ? [{ account: first.account_id, plan: first.plan_id, campaign: first.campaign_id, own }] : []
  })
  return {
    unlinked: {
      plans: found.length,
      rows: found.reduce((sum, { own }) => sum + own.length, 0),
      examples: found.slice(0, EXAMPLES).map(({ own: _, ...plan }) => plan),
    },
    without_plan: rows.filter(({ plan_id }) => plan_id === '').length,
  }
}

/** A row's plan, or its campaign where it is a sum over plans, as in `SUBJECT`. */
const subjectOf = ({ campaign_id, plan_id }: Row) => (plan_id === '' ? `c${campaign_id}` : `p${plan_id}`)
const SUBJECT = `if(plan_id = '', concat('c', campaign_id), concat('p', plan_id))`
const DAY = `concat(toString(date), '\\n', account_id)`

/** Days of accounts that have rows of earlier files for plans that these rows do not have. */
async function replacedBy(stored: AcrossShards, adv_id: number, rows: readonly Row[], signal: AbortSignal) {
  const none = { days: 0, plans: 0, examples: [] }
  if (rows.length === 0) return none
  const dates = rows.map(({ date }) => date).sort()
  const span = { from: dates.at(0) ?? '', to: dates.at(-1) ?? '' }
  const days = Map.groupBy(rows, ({ date, account_id }) => `${date}\n${account_id}`)
  const { settings } = await countedRows(stored)
  const found = await stored.query<{ day: string; account_id: string; stored: number; gone: string[] }>(
    `SELECT toString(date) AS day, account_id, uniqExact(${SUBJECT}) AS stored,
       arraySort(groupUniqArrayIf(${SUBJECT}, concat(${DAY}, '\\n', ${SUBJECT}) NOT IN (SELECT arrayJoin({subjects:Array(String)})))) AS gone
     FROM (${FILES_IN_FORCE}) WHERE ${DAY} IN (SELECT arrayJoin({days:Array(String)}))
     GROUP BY date, account_id HAVING notEmpty(gone) ORDER BY date, account_id`,
    {
      ...{ adv_id, ...span },
      days: [...days.keys()],
      subjects: [...new Set(rows.map((row) => `${row.date}\n${row.account_id}\n${subjectOf(row)}`))],
    },
    { settings, signal },
  )
  return {
    days: found.length,
    plans: found.reduce((sum, { gone }) => sum + gone.length, 0),
    examples: found.slice(0, EXAMPLES).map(({ day, account_id, stored: before, gone }) => ({
      ...{ date: day, account: account_id, stored: before },
      in_file: new Set((days.get(`${day}\n${account_id}`) ?? []).map(subjectOf)).size,
      gone: gone.length,
      gone_plans: gone.slice(0, PLANS_OF_EXAMPLE).map((subject) => subject.slice(1)),
    })),
  }
}
