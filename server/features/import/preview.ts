import type { z } from 'zod'
import type { ComparedReports, ImportMapping, PreviewLine, previewImport } from '#contract/import.ts'
import { sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { FileHead } from '../../files/head.ts'
import { maskPhones } from '../../files/mask-phones.ts'
import { type CountedRows, rowCounter } from '../../ingest/counted-rows.ts'
import type { CheckedRow } from '../../ingest/row-check.ts'
import { guessKind, guessMapping, mappingOfGuess } from './guess.ts'

type Preview = Omit<z.input<typeof previewImport.data>, 'reports'>

/** What the rows of a file are checked by: what the caller gave, and guesses for the rest. */
export function previewPlan(
  head: FileHead,
  { kind: given, mapping }: Pick<z.output<typeof previewImport.body>, 'kind' | 'mapping'>,
) {
  const kind = mapping?.kind ?? given ?? guessKind(head)
  const guess = guessMapping(kind, head)
  return { kind, guess, mapping: mapping ?? (mappingOfGuess(kind, guess) as ImportMapping | null) }
}

/** The first lines of a file, bad ones among them with the reason. `checked`: one for each row; empty while nothing is checked. */
export function shownPreview(
  head: FileHead,
  { kind, guess }: Pick<ReturnType<typeof previewPlan>, 'kind' | 'guess'>,
  checked: readonly CheckedRow[],
  { hidesPhones }: { hidesPhones: boolean },
): Preview {
  const masked = (cells: readonly string[]) => (hidesPhones ? cells.map(maskPhones) : [...cells])
  const refused = rowCounter()
  const warnings = rowCounter()
  const rows: string[][] = []
  const lines = head.rows.map((row, at): PreviewLine => {
    const why = checked[at]?.refused ?? row.refused
    const odd = checked[at]?.warnings ?? []
    if (why) refused.add(why)
    else for (const { outcome } of odd) warnings.add(outcome, 1, { first: [row.line] })
    return {
      line: row.line,
      row: row.refused ? null : rows.push(masked(row.cells)) - 1,
      cells: row.refused ? masked(row.cells) : [],
      refused: why && inWords(why),
      warnings: odd.map(({ column, outcome }) => ({ column, ...inWords(outcome) })),
    }
  })
  const shown = ({ outcome, rows }: CountedRows) => ({ ...inWords(outcome), rows })
  const problems = {
    refused: refused.counts().map(shown),
    warnings: warnings.counts().map((one) => ({ ...shown(one), lines: one.first ?? [] })),
  }
  return { format: head.format, encoding: head.encoding, kind, columns: head.columns, rows, lines, problems, guess }
}

const inWords = (outcome: AnyOutcome) => ({ reason: sentenceOf(outcome), outcome })

/** The same with the phones of names masked, as in the lines. */
export const withoutPhones = ({ unlinked, replaced, ...rest }: ComparedReports): ComparedReports => ({
  ...rest,
  unlinked: {
    ...unlinked,
    examples: unlinked.examples.map(({ account, plan, campaign }) => ({
      account: maskPhones(account),
      plan: maskPhones(plan),
      campaign: maskPhones(campaign),
    })),
  },
  replaced: {
    ...replaced,
    examples: replaced.examples.map(({ account, gone_plans, ...day }) => ({
      ...day,
      account: maskPhones(account),
      gone_plans: gone_plans.map(maskPhones),
    })),
  },
})
