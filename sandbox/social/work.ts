import { readFileSync, rmSync } from 'node:fs'
import { BrokenArchive, entriesOf } from '../archive.ts'
import type { Parts } from '../parts.ts'
import { changeSet } from '../value-set.ts'
import type { Work } from '../work.ts'
import type { AudienceFile } from './files.ts'
import { valueOfLine } from './id-types.ts'

/** Codes of files: 0 is success; the others are also an audience's error_code. */
const SYSTEM = 1
const FORMAT = 201
const UNREADABLE = 202
const NO_MATCH = 203
const ERRORS: Record<number, string> = {
  [SYSTEM]: '系统错误',
  [FORMAT]: '文件格式错误',
  [UNREADABLE]: '文件解析失败',
  [NO_MATCH]: '没有匹配到用户',
}

class BadFile extends Error {
  readonly code: number
  constructor(code: number) {
    super(ERRORS[code])
    this.code = code
  }
}

/** Processes audience files line by line, by their declared kind. */
export function socialWork({ db, switches }: Parts): Work {
  async function linesOf(file: AudienceFile): Promise<string[]> {
    const content = readFileSync(file.path)
    if (!/\.zip$/i.test(file.name)) return textLines(content)
    const lines: string[] = []
    try {
      for await (const entry of entriesOf(content)) {
        if (!/\.(txt|csv)$/i.test(entry.name)) throw new BadFile(FORMAT)
        for (const line of textLines(entry.content)) lines.push(line)
      }
    } catch (error) {
      if (error instanceof BrokenArchive) throw new BadFile(UNREADABLE)
      throw error
    }
    if (lines.length === 0) throw new BadFile(UNREADABLE)
    return lines
  }

  async function storeLines(file: AudienceFile, isStopped: () => boolean): Promise<boolean> {
    let lines: string[]
    try {
      lines = await linesOf(file)
    } catch (error) {
      if (!(error instanceof BadFile)) throw error
      finish(file, { code: error.code, lines: 0, valid: 0 })
      return true
    }
    const isHalf = file.is_half === 1
    const taken = isHalf ? Math.floor(lines.length / 2) : lines.length
    const { no } = db.one<{ no: number }>('SELECT no FROM social_audience WHERE id = ?', file.audience_id) ?? { no: 0 }
    const values: string[] = []
    for (const line of lines.slice(0, taken)) {
      const value = valueOfLine(file.user_id_type, line)
      if (value !== null) values.push(value)
    }
    const valid = values.length
    const isRemoval = file.operation_type === 'REDUCE'
    const change = { owner: no, kind: file.user_id_type, values, isRemoval }
    if (!(await changeSet(db, 'social', change, isStopped))) return false
    const isCut = isHalf && switches.now.half_accept_as === 'error'
    const code = isCut ? SYSTEM : valid === 0 ? NO_MATCH : 0
    finish(file, { code, lines: isCut ? taken : lines.length, valid })
    return true
  }

  function finish(file: AudienceFile, { code, lines, valid }: { code: number; lines: number; valid: number }) {
    db.together(() => {
      const audience = db.one<{ no: number }>('SELECT no FROM social_audience WHERE id = ?', file.audience_id)
      if (!audience) return
      const size = db.number('SELECT count(*) FROM social_value WHERE audience = ?', audience.no)
      const covered = Math.floor((valid * switches.now.coverage_percent) / 100)
      db.run(
        `UPDATE social_file SET status = ?, process_code = ?, error_message = ?, line_count = ?, valid_line_count = ?,
           user_count = ? WHERE no = ?`,
        ...[code === 0 ? 'SUCCESS' : 'ERROR', code, ERRORS[code] ?? '', lines, valid, covered, file.no],
      )
      const isGood = code === 0 || size > 0
      db.run(
        'UPDATE social_audience SET status = ?, online_status = ?, error_code = ?, changed_at = ? WHERE no = ?',
        ...[isGood ? 'SUCCESS' : 'ERROR', isGood ? 'ONLINE' : 'OFFLINE', isGood ? 0 : code, file.due_at, audience.no],
      )
    })
    rmSync(file.path, { force: true })
  }

  return {
    tick(now) {
      db.run("UPDATE social_file SET status = 'PROCESSING' WHERE status = 'PENDING' AND begins_at <= ?", now)
    },
    async takeOne(now, isStopped) {
      const file = db.one<AudienceFile>(
        "SELECT * FROM social_file WHERE status = 'PROCESSING' AND due_at <= ? ORDER BY due_at, no LIMIT 1",
        now,
      )
      return file !== undefined && storeLines(file, isStopped)
    },
    nextDue: () =>
      db.one<{ due: number | null }>(
        `SELECT min(CASE status WHEN 'PENDING' THEN begins_at ELSE due_at END) AS due FROM social_file
         WHERE status IN ('PENDING', 'PROCESSING')`,
      )?.due ?? null,
  }
}

/** The lines of a text file; after the last line break there is none. */
function textLines(content: Buffer): string[] {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    throw new BadFile(FORMAT)
  }
  if (text.includes('\0')) throw new BadFile(FORMAT)
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
