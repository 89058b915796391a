import { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import { PlatformFault } from './audience-platform.ts'

/** Rows of one page. `listed`: how many the answer had, those that could not be read included. */
export interface ListPage<R> {
  rows: R[]
  listed: number
  /** How many of those may be left out: they have no id, so nobody asks for them. */
  nameless?: number
  /** Of all pages; undefined where the platform does not say. */
  total: number | undefined
}

/** More pages than any account has; ends a list whose pages never do. */
const PAGES_MOST = 200
/** A list that changes while it is read is begun anew so often. */
const TRIES = 2

/** The rows of a page with their number, for `wholeList`. */
export const countedRows = <S extends z.ZodType>(row: S) =>
  z
    .array(z.unknown())
    .nullish()
    .transform((all) => {
      const given = all ?? []
      const rows = given.flatMap((one): z.output<S>[] => {
        const read = row.safeParse(one)
        return read.success ? [read.data] : []
      })
      return { rows, listed: given.length }
    })

/** The same for rows that are known by their id alone: one without an id is left out. */
export const namedRows = <S extends z.ZodType>(row: S) =>
  countedRows(row).transform(({ rows, listed }) => ({ rows, listed, nameless: listed - rows.length }))

/**
 * Every row of all pages, or a fault: what is missing in the answer counts as deleted on the platform. Pages shift when
 * something is made or deleted between two calls, so the number that the platform names must stay, and be that of the rows.
 */
export async function wholeList<R>(
  pageSize: number,
  idOf: (row: R) => string,
  read: (page: number) => Promise<ListPage<R>>,
): Promise<R[]> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const all = await once(pageSize, idOf, read)
    if (all) return all
  }
  throw new PlatformFault('later', outcome('platform_answer_incomplete'))
}

/** Null where the pages do not make up a whole. */
async function once<R>(
  pageSize: number,
  idOf: (row: R) => string,
  read: (page: number) => Promise<ListPage<R>>,
): Promise<R[] | null> {
  const all = new Map<string, R>()
  let before: number | undefined
  let leftOut = 0
  for (let page = 1; page <= PAGES_MOST; page++) {
    const { rows, listed, nameless = 0, total } = await read(page)
    if (rows.length + nameless < listed) return null
    leftOut += nameless
    // Something came or went since the page before, so that a row may have slipped by between the two.
    if (page > 1 && total !== before) return null
    before = total
    for (const row of rows) all.set(idOf(row), row)
    const isLast = total === undefined ? listed < pageSize : page * pageSize >= total || listed === 0
    if (isLast) return total === undefined || all.size + leftOut === total ? [...all.values()] : null
  }
  return null
}
