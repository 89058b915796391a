// Apart from `kept-lines.ts`, since the first page fetches this and not what makes a download.
import type { KeptLines } from './kept-lines.ts'

/** By the number that the file's report has. */
const ofFiles = new Map<string, KeptLines>()
export const rememberKeptLines = (id: string, kept: KeptLines): void => void ofFiles.set(id, kept)
export const findKeptLines = (id: string): KeptLines | null => ofFiles.get(id) ?? null
export const forgetKeptLines = (id: string): void => void ofFiles.delete(id)
export const forgetAllKeptLines = (): void => ofFiles.clear()

interface Place {
  pathname: string
  search: string
}
const LIST = /^\/cowd-manage\/custom-crowd(\/list)?\/?$/
const openCrowd = ({ pathname, search }: Place) =>
  LIST.test(pathname) ? new URLSearchParams(search).get('crowd') : null

/** Kept lines stay on their page, and after submitting in the list until a crowd that was opened there is left. */
export function staysKept(from: Place, to: Place): boolean {
  if (!LIST.test(to.pathname)) return from.pathname === to.pathname
  const opened = openCrowd(from)
  return opened === null || opened === openCrowd(to)
}
