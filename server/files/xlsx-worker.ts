import { parentPort, workerData } from 'node:worker_threads'
import writeExcelFile from 'write-excel-file/node'
import { type PostedError, postedError } from './file-fault.ts'
import type { Sheet } from './xlsx.ts'

export type XlsxAnswer = { kind: 'made'; bytes: Uint8Array } | { kind: 'failed'; error: PostedError }

function sheetOf({ sheet, columns, rows }: Sheet) {
  const head = columns.map(({ title }) => ({ value: title, fontWeight: 'bold' as const }))
  const cells = rows.map((row) =>
    row.map((value, at) => {
      const format = columns[at]?.format
      // A text is a text, whatever it begins with: no cell is a formula.
      if (typeof value === 'string') return { value, type: String }
      return value !== null && format !== undefined ? { value, type: Number, format } : value
    }),
  )
  return {
    data: [head, ...cells],
    sheet,
    stickyRowsCount: 1,
    stickyColumnsCount: 1,
    columns: columns.map(({ width }) => ({ width })),
  }
}

async function make(sheets: readonly Sheet[]): Promise<XlsxAnswer> {
  try {
    return { kind: 'made', bytes: await writeExcelFile(sheets.map(sheetOf)).toBuffer() }
  } catch (error) {
    return { kind: 'failed', error: postedError(error) }
  }
}

// Set by `makeXlsx`.
parentPort?.postMessage(await make(workerData as readonly Sheet[]))
