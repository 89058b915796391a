import { IMPORT_KINDS, IMPORT_STATUS } from '#contract/import.ts'
import { command } from './command.ts'

const SHOWN = 50
const count = (n: number) => n.toLocaleString('en')

export const listAllImports = command({
  name: 'imports list',
  summary: `列出最近 ${SHOWN} 次导入及其 ID`,
  usage: '[--advertiser 广告主]',
  positionals: [],
  options: { advertiser: { type: 'string' } },
  help: ['--advertiser 广告主   只列出这个广告主的导入'],
  run: async ({ services }, { values }, { print }) => {
    const rows = await services.imports.latest(values.advertiser, SHOWN)
    for (const { id, adv_name, kind, file_name, status, report } of rows) {
      const stored = report ? `入库 ${count(report.stored)} 行` : ''
      print([id, adv_name, IMPORT_KINDS[kind], file_name, IMPORT_STATUS[status], stored].join('\t').trimEnd())
    }
    if (rows.length === 0) print('没有导入')
  },
})

export const undoOneImport = command({
  name: 'imports undo',
  summary: '撤销一次导入：移除它的行、只因它才有的用户，较早的值恢复',
  usage: 'ID',
  positionals: ['ID'],
  options: {},
  help: ['ID   见 imports list'],
  run: async ({ services: { imports } }, { positionals, signal }, { progress, print }) => {
    const id = Number(positionals[0])
    if (!Number.isSafeInteger(id) || id < 1 || id >= 2 ** 31) throw new Error(`ID ${positionals[0]} 不正确`)
    await imports.undo(null, id)
    const row = await imports.wait(id, signal, progress)
    const extent = row.undo?.extent
    if (row.status !== 'undone' || !extent) throw new Error(row.error ?? '撤销没有完成')
    progress(1, '完成')
    const kept = extent.taken_over.reduce((sum, one) => sum + one.rows, 0)
    print(`已撤销：移除 ${count(extent.rows - kept)} 行${row.kind === 'reports' ? '' : `、${count(extent.people)} 人`}`)
    for (const one of extent.taken_over) print(`  ${count(one.rows)} 行改计入导入 ${one.import_id}，它当时也有这些行`)
  },
})
