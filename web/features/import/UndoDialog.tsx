import { useQuery } from '@tanstack/react-query'
import { App, Modal, Skeleton } from 'antd'
import { type ImportKind, type ImportRow, listImports, previewUndo, undoImport } from '#contract/import.ts'
import { listTasks } from '#contract/task.ts'
import { LoadError } from '../../components/LoadError.tsx'
import { SeeTasks } from '../../components/SeeTasks.tsx'
import { formatCount } from '../../lib/format.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { undoneText } from './undone-text.ts'

/** Says what undoing an import takes away, and asks once. */
export function UndoDialog({ row, onClose }: { row: ImportRow; onClose: () => void }) {
  const { message } = App.useApp()
  const preview = useQuery({
    ...queryOf(previewUndo, { params: { id: row.id } }),
    gcTime: 0,
    meta: { inPlace: true },
  })
  const undo = useAction(undoImport, [listImports, listTasks], {
    onSuccess: () => {
      message.success(<SeeTasks said="已提交撤销" />)
      onClose()
    },
  })
  return (
    <Modal
      open
      title={`撤销导入「${row.file_name}」？`}
      okText="撤销导入"
      okButtonProps={{ danger: true, disabled: !preview.data, loading: undo.isPending }}
      onOk={() => undo.mutate({ params: { id: row.id } })}
      onCancel={onClose}
      width={565}
    >
      {preview.data ? (
        <ul>
          {linesOf(row.kind, preview.data).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      ) : preview.error ? (
        <LoadError error={preview.error} onRetry={preview.refetch} title="无法计算撤销的影响" />
      ) : (
        <Skeleton active title={false} />
      )}
    </Modal>
  )
}

const NAMES = 5
const listed = (names: readonly string[]) =>
  `「${names.slice(0, NAMES).join('」「')}」${names.length > NAMES ? '等' : ''}`

function linesOf(kind: ImportKind, found: NonNullable<(typeof previewUndo.data)['_output']>): string[] {
  const { extent, heirs, attributes, events, crowds, crowds_total, uploaded_crowds, accounts } = found
  const names = (all: readonly { name: string }[]) => listed(all.map(({ name }) => name))
  return [
    `${undoneText(kind, extent)}。`,
    ...(heirs.length > 0
      ? [`接手重复行的导入：${names(heirs)}${kind === 'reports' ? '' : '；设定的名称与类型一并由它接手'}。`]
      : []),
    ...(attributes.length > 0 ? [`属性${listed(attributes)}及其标签一并移除。`] : []),
    ...(events.length > 0 ? [`事件${listed(events)}及其标签一并移除。`] : []),
    ...(crowds_total > 0 ? [`${formatCount(crowds_total)} 个组合定向包会重新计算：${names(crowds)}。`] : []),
    ...(uploaded_crowds > 0 ? [`${formatCount(uploaded_crowds)} 个上传人群会重新匹配用户。`] : []),
    ...(accounts.length > 0 ? [`自动推送的投放账户${names(accounts)}会收到移除。`] : []),
    '较早的值恢复；之后可以重新导入同一文件，文件需要重新上传。',
  ]
}
