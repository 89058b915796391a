import { useQuery } from '@tanstack/react-query'
import { Button, Modal, Space } from 'antd'
import { type AssetFolder, listAssetFolders } from '#contract/folder.ts'
import { packageLines } from '#contract/targeting/lines.ts'
import type { PackageLine } from '#contract/targeting/packages.ts'
import { folderName } from '../../../domain/crowd/folder-name.ts'
import { baseLine } from '../../../domain/targeting/base-line.ts'
import { CompareTable } from '../../../domain/targeting/CompareTable.tsx'
import { isForever } from '../../../domain/targeting/ExpiryField.tsx'
import { useRegionNames } from '../../../domain/targeting/use-region-names.ts'
import { formatDay } from '../../../lib/format.ts'
import { queryOf } from '../../../lib/query.ts'
import styles from '../editor.module.css'
import type { EditorDefinition } from '../editor-definition.ts'
import { type Draft, draftOfSaved } from './draft.ts'
import type { Conflict } from './use-save.ts'

interface Props<F> {
  editor: EditorDefinition<F>
  /** Whose platform names the regions. */
  accountId: number
  conflict: Conflict | null
  mine: Draft<F>
  isSaving: boolean
  onOverwrite: () => void
  onTakeTheirs: () => void
  onClose: () => void
}

/** Shown when somebody else saved the package: both versions side by side. The one not taken is still available. */
export function StaleDialog<F>(props: Props<F>) {
  const { editor, conflict, mine, isSaving, onOverwrite, onTakeTheirs, onClose } = props
  return (
    <Modal
      open={conflict !== null}
      title="此定向包已被他人修改"
      width={860}
      onCancel={onClose}
      destroyOnHidden
      mask={{ closable: false }}
      footer={
        <Space wrap>
          <Button onClick={onClose}>继续编辑</Button>
          <Button danger onClick={onOverwrite} loading={isSaving}>
            覆盖保存
          </Button>
          {/* The one that loses nobody's work. */}
          <Button type="primary" autoFocus onClick={onTakeTheirs} disabled={isSaving}>
            查看对方的版本
          </Button>
        </Space>
      }
    >
      <div role="alert">{conflict?.msg}</div>
      {conflict && (
        <div className={styles.versions}>
          <Versions
            editor={editor}
            accountId={props.accountId}
            mine={mine}
            theirs={draftOfSaved(editor, conflict.theirs)}
          />
        </div>
      )}
      <p>覆盖保存会以我的修改替换对方的版本，对方的版本留在修改记录中。查看对方的版本后，可以取回我的修改。</p>
    </Modal>
  )
}

function Versions<F>(props: { editor: EditorDefinition<F>; accountId: number; mine: Draft<F>; theirs: Draft<F> }) {
  const { editor, accountId, mine, theirs } = props
  const folders = useQuery({ ...queryOf(listAssetFolders), meta: { silent: 'optional' } }).data ?? []
  const targetings = [editor.savedTargeting(mine.form), editor.savedTargeting(theirs.form)] as const
  const names = useRegionNames(accountId, ...targetings)
  const side = (title: string, draft: Draft<F>, no: 0 | 1) => ({
    title,
    lines: [...baseLines(draft, folders), ...packageLines(editor.platform, targetings[no], names)],
  })
  return <CompareTable left={side('我的修改（未保存）', mine, 0)} right={side('对方已保存的版本', theirs, 1)} />
}

/** What a package has beside its targeting. */
function baseLines<F>(draft: Draft<F>, folders: readonly AssetFolder[]): PackageLine[] {
  const { targeting_name, invalid_time, dir_id } = draft
  return [
    baseLine('targeting_name', '名称', targeting_name),
    baseLine('invalid_time', '失效时间', isForever(invalid_time) ? '长期有效' : formatDay(invalid_time)),
    baseLine('dir_id', '存储路径', folderName(folders, dir_id)),
  ]
}
