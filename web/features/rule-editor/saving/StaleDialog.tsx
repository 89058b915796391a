import { useQuery } from '@tanstack/react-query'
import { Button, Modal, Space } from 'antd'
import { type AssetFolder, listAssetFolders } from '#contract/folder.ts'
import { sentenceOf } from '#contract/rule.ts'
import { folderName } from '../../../domain/crowd/folder-name.ts'
import { formatCount } from '../../../lib/format.ts'
import { queryOf } from '../../../lib/query.ts'
import styles from '../rule-editor.module.css'
import type { CrowdDocument } from '../state/editor-state.ts'
import { type ShownTags, shownIn } from '../state/shown-tags.ts'

/** The server's version of a crowd, to compare with the viewer's work. */
export interface ServerVersion {
  doc: CrowdDocument
  shownTags: ShownTags
  cnt: Record<string, number>
  countedAt: number | null
  rId: number
  ver: number
}

export interface Conflict {
  /** The server's message: who saved when. */
  msg: string
  theirs: ServerVersion
}

interface Props {
  conflict: Conflict | null
  mine: CrowdDocument
  shownTags: ShownTags
  myCount: number | null
  isSaving: boolean
  onOverwrite(): void
  onTakeTheirs(): void
  onClose(): void
}

/** Shown when another viewer saved the crowd: both versions side by side. The one not taken is still available. */
export function StaleDialog(props: Props) {
  const { conflict, mine, shownTags, myCount, isSaving } = props
  const folders = useQuery({ ...queryOf(listAssetFolders), enabled: conflict !== null, meta: { silent: 'optional' } })
  const theirs = conflict?.theirs
  return (
    <Modal
      open={conflict !== null}
      title="此人群已被他人修改"
      width={760}
      onCancel={props.onClose}
      mask={{ closable: false }}
      footer={
        <Space wrap>
          <Button onClick={props.onClose}>继续编辑</Button>
          <Button danger onClick={props.onOverwrite} loading={isSaving}>
            覆盖保存
          </Button>
          {/* The one that loses nobody's work. */}
          <Button type="primary" onClick={props.onTakeTheirs} disabled={isSaving}>
            查看对方的版本
          </Button>
        </Space>
      }
    >
      <div role="alert">{conflict?.msg}</div>
      {theirs && (
        <div className={styles.versions}>
          <Version
            title="我的修改（未保存）"
            doc={mine}
            other={theirs.doc}
            shownTags={shownTags}
            count={myCount}
            folders={folders.data ?? []}
          />
          <Version
            title="对方已保存的版本"
            doc={theirs.doc}
            other={mine}
            shownTags={theirs.shownTags}
            count={theirs.cnt[theirs.doc.rule.id] ?? null}
            folders={folders.data ?? []}
          />
        </div>
      )}
      <p className={styles.explained}>
        覆盖保存会以我的修改替换对方的版本。查看对方的版本后，我的修改留在撤销中，按撤销即可取回。
      </p>
    </Modal>
  )
}

interface VersionProps {
  title: string
  doc: CrowdDocument
  other: CrowdDocument
  shownTags: ShownTags
  count: number | null
  folders: readonly AssetFolder[]
}

function Version({ title, doc, other, shownTags, count, folders }: VersionProps) {
  const words = (rule: CrowdDocument['rule']) => sentenceOf(rule, (tag) => shownIn(shownTags, tag).name)
  const differs = (isDifferent: boolean) => (isDifferent ? styles.differs : undefined)
  const folder = folderName(folders, doc.form.dirId)
  return (
    <section className={styles.version}>
      <h2>{title}</h2>
      <dl>
        <dt>名称</dt>
        <dd className={differs(doc.form.name !== other.form.name)}>{doc.form.name || '--'}</dd>
        <dt>失效时间</dt>
        <dd className={differs(doc.form.day !== other.form.day)}>{doc.form.day ?? '--'}</dd>
        <dt>存储路径</dt>
        <dd className={differs(doc.form.dirId !== other.form.dirId)}>{folder}</dd>
        <dt>人数</dt>
        <dd>{formatCount(count)} 人</dd>
        <dt>规则</dt>
        <dd className={`${styles.rule} ${words(doc.rule) === words(other.rule) ? '' : styles.differs}`}>
          {words(doc.rule)}
        </dd>
      </dl>
    </section>
  )
}
