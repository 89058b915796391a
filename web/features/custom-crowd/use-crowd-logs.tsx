import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { App } from 'antd'
import type { CntType } from '#contract/audience.ts'
import {
  type CustomCrowd,
  getCustomCrowd,
  listCrowdFiles,
  listCrowdLogs,
  listCustomCrowds,
  OP_TYPES,
  restoreCrowdVersion,
} from '#contract/custom-crowd.ts'
import { TwoLines } from '../../components/TwoLines.tsx'
import { pageChange } from '../../components/table-parts.tsx'
import { useConfirm, useRefusal } from '../../components/use-confirm.ts'
import { formatCount } from '../../lib/format.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { useDrawerList, useWithinPages } from '../../lib/use-drawer-list.ts'
import type { LogVersion } from './VersionReport.tsx'

const POLL_MS = 2_000

/**
 * A page of a crowd's history, of all kinds of change or of one, fetched again while a version is computed.
 * The URL holds the page and the kind.
 */
export function useCrowdLogs(of: { id: number; cnt_type?: CntType }) {
  const list = useDrawerList('logs', ['op_type'])
  const { paged } = list
  const opType = Object.hasOwn(OP_TYPES, list.filters.op_type) ? Number(list.filters.op_type) : undefined
  const logs = useQuery({
    ...queryOf(listCrowdLogs, { query: { ...of, ...paged, op_type: opType } }),
    meta: { inPlace: true },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.list.some((log) => log.version?.status === 'computing') ? POLL_MS : false,
  })
  useWithinPages(list, { isLoaded: logs.isSuccess && !logs.isPlaceholderData, rows: logs.data?.list.length ?? 0 })
  return {
    logs,
    opType,
    paged,
    filter: (next: number | undefined) => list.filter({ op_type: next === undefined ? '' : String(next) }),
    turn: (page = 1, size = paged.page_size) => list.turn(pageChange(paged, page, size)),
  }
}

/** Asks, then makes a version of the crowd from an earlier one. */
export function useRestore(crowd: CustomCrowd) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const showRefusal = useRefusal()
  const restore = useAction(restoreCrowdVersion, [listCrowdLogs, getCustomCrowd, listCustomCrowds, listCrowdFiles], {
    meta: { quiet: true },
  })
  return (version: LogVersion) =>
    confirm({
      title: `恢复到版本 ${version.no}？`,
      content: `人群将变为 ${formatCount(version.size)} 个标识。恢复会生成新版本，当前版本仍保留在更新记录中${
        crowd.audiences.length > 0 ? `；已推送的 ${crowd.audiences.length} 个子人群会随之更新` : ''
      }。`,
      okText: '恢复',
      onOk: () =>
        restore.mutateAsync({ body: { id: crowd.id, version: version.no } }).then(
          () => void message.success(<TwoLines text="修改成功" more={`已恢复到版本 ${version.no}，正在计算`} />),
          (error: Error) => void showRefusal('无法恢复', error.message || '操作失败'),
        ),
    })
}
