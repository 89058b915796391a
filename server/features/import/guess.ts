import { type ImportKind, type ImportMapping, ROW_ID } from '#contract/import.ts'
import { phoneOf } from '#contract/phone.ts'
import type { FileHead } from '../../files/head.ts'
import { guessReport, isLikeReport } from './guess-reports.ts'

const NAMES = {
  id: /^(one_?id|user_?id|uid|customer_?id|member_?id|household_?id|client_?id|id|用户\s?(id|编号)|会员\s?(id|编号|号|卡号)|客户\s?(id|编号|号)|卡号)$/i,
  name: /^(name|real_?name|nick_?name|full_?name|姓名|名字|昵称)$/i,
  phone: /^(phone|mobile|mobile_?phone|phone_?number|tel|手机|手机号|手机号码|电话)$/i,
  event: /^(event|event_?name|event_?type|behaviou?r|action|事件|事件名|事件名称|行为)$/i,
  time: /^(ts|time|timestamp|event_?time|date|datetime|created_?at|.*_(time|timestamp|date|at)|.*(date|timestamp)|时间|.*(时间|日期))$/i,
  title: /^(title|page_?title|event_?title|标题|页面标题|事件标题)$/i,
}
const cellsOf = (rows: FileHead['rows']) => rows.flatMap(({ cells, refused }) => (refused ? [] : [cells]))

/** Rows with a time that name an event, or of which several have the same id, are events. */
export function guessKind({ columns, rows }: FileHead): ImportKind {
  const at = (pattern: RegExp) => columns.findIndex((column) => pattern.test(column.trim()))
  if (at(NAMES.id) === -1 && at(NAMES.event) === -1 && isLikeReport(columns)) return 'reports'
  if (at(NAMES.time) === -1) return 'users'
  if (at(NAMES.event) !== -1) return 'events'
  const id = at(NAMES.id)
  const ids = cellsOf(rows).map((cells) => cells[id] ?? '')
  return id !== -1 && new Set(ids).size < ids.length * REPEATED_IDS ? 'events' : 'users'
}
/** Below this share of different ids, people occur several times. */
const REPEATED_IDS = 0.9

/** The guess as a mapping; null while a required column is missing. */
export function mappingOfGuess(kind: ImportKind, guess: ReturnType<typeof guessMapping>): ImportMapping | null {
  if (kind === 'reports') {
    const { date, campaign, plan, account, metrics } = guess
    if (date === null || campaign === null || metrics.length === 0) return null
    return { kind, date, campaign, plan: plan ?? undefined, account: account ?? undefined, metrics }
  }
  const { id, event, time } = guess
  if (id === null) return null
  if (kind === 'users') return { kind, id, phone: guess.phone ?? undefined, identifiers: [], skip: [] }
  return event === null || time === null ? null : { kind, id, event, time, skip: [] }
}

/** The demo's phones, which are nobody's, are recognised too. */
const isLikePhone = (cell: string) => phoneOf(cell) !== null || /^1\d{10}$/.test(cell)
/** A column with this share of phones among its filled cells is one of phones. */
const PHONE_SHARE = 0.8
const isOfPhones = (cells: readonly string[]) => {
  const filled = cells.filter((cell) => cell !== '')
  return filled.length > 0 && filled.filter(isLikePhone).length >= filled.length * PHONE_SHARE
}

const NO_PEOPLE = { id: null, name: null, phone: null, event: null, time: null, title: null }
const NO_REPORT: ReturnType<typeof guessReport> = { date: null, campaign: null, plan: null, account: null, metrics: [] }

/** Guesses the meaning of each column from its name, for phones also from its values. */
export function guessMapping(kind: ImportKind, { columns, rows: all }: FileHead) {
  if (kind === 'reports') return { ...NO_PEOPLE, ...guessReport(columns) }
  const rows = cellsOf(all)
  const named = (pattern: RegExp) => columns.find((column) => pattern.test(column.trim())) ?? null
  const ofPhones = columns.find((_, at) => isOfPhones(rows.map((row) => row[at]?.trim() ?? '')))
  const isEvents = kind === 'events'
  return {
    ...NO_REPORT,
    id: named(NAMES.id) ?? (isEvents ? null : ROW_ID),
    name: isEvents ? null : named(NAMES.name),
    phone: isEvents ? null : (named(NAMES.phone) ?? ofPhones ?? null),
    event: isEvents ? named(NAMES.event) : null,
    time: isEvents ? named(NAMES.time) : null,
    title: isEvents ? named(NAMES.title) : null,
  }
}
