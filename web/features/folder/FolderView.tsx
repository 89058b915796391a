import { App } from 'antd'
import { type ReactNode, useState } from 'react'
import { later } from '../../components/later.tsx'
import { type ChangeList, type Filters, type ListState, searched } from '../../domain/crowd/list-state.ts'
import { FolderColumns } from './FolderColumns.tsx'
import type { FolderKind } from './folder-calls.ts'
import { useFolderView } from './use-folder-view.ts'

const ChooseFolderDialog = later(() => import('./ChooseFolderDialog.tsx').then((file) => file.ChooseFolderDialog))

interface Moved {
  id: number
  name: string
  /** The folder it lies in, as its call names it. */
  dir_id?: number
  dirId?: number
}

/** The folder that all rows lie in; undefined if they lie in several. */
function folderOf(rows: readonly Moved[]): number | undefined {
  const [first, ...others] = new Set(rows.map((row) => row.dir_id ?? row.dirId))
  return others.length > 0 ? undefined : first
}

interface View<F extends Filters> {
  state: ListState<F>
  onChange: ChangeList<F>
  /** Asks for a folder; `moved` is called once the rows are in it. */
  onMove: (rows: readonly Moved[], moved: () => void) => void
}

/** A page of crowds: the folders at the left, the chosen one's list at the right. The URL holds the view. */
export function FolderView<F extends Filters>(props: {
  kind: FolderKind
  filters: F
  /** What one row is called: 人群, 定向包. */
  noun: string
  move: (ids: number[], folder: number) => Promise<unknown>
  isMoving: boolean
  children: (view: View<F>) => ReactNode
}) {
  const { kind, filters, noun, move, isMoving, children } = props
  const { message } = App.useApp()
  const [state, change] = useFolderView(kind, filters)
  const [moving, setMoving] = useState<{ rows: readonly Moved[]; moved: () => void } | null>(null)

  const moveTo = async ({ rows, moved }: NonNullable<typeof moving>, folder: number) => {
    const ids = rows.map((row) => row.id)
    const isMoved = await move(ids, folder).then(
      () => true,
      // The query client announces a failure; the dialog stays open.
      () => false,
    )
    if (!isMoved) return
    message.success('文件夹移动成功')
    moved()
    setMoving(null)
  }

  return (
    <>
      <FolderColumns
        kind={kind}
        selected={state.dir_id}
        onSelect={(dir_id) => change((now) => searched(now, { dir_id }))}
      >
        {children({ state, onChange: change, onMove: (rows, moved) => setMoving({ rows, moved }) })}
      </FolderColumns>
      {moving && (
        <ChooseFolderDialog
          kind={kind}
          title={
            moving.rows.length > 1 ? `移动 ${moving.rows.length} 个${noun}` : `移动「${moving.rows[0]?.name ?? ''}」`
          }
          present={folderOf(moving.rows)}
          onCancel={() => setMoving(null)}
          isBusy={isMoving}
          onChoose={(folder) => void moveTo(moving, folder)}
        />
      )}
    </>
  )
}
