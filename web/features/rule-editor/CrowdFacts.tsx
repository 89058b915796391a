import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listAssetFolders } from '#contract/folder.ts'
import { folderName } from '../../domain/crowd/folder-name.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './rule-editor.module.css'
import type { CrowdForm } from './state/editor-state.ts'

/** The form's values, read-only; the name is the page's title. */
export function CrowdFacts({ form, more }: { form: CrowdForm; more?: ReactNode }) {
  const folders = useQuery({ ...queryOf(listAssetFolders), staleTime: 15_000, meta: { silent: 'optional' } })
  return (
    <dl className={styles.facts}>
      <div>
        <dt>失效时间</dt>
        <dd>{form.day ?? '--'}</dd>
      </div>
      <div>
        <dt>存储路径</dt>
        <dd>{folderName(folders.data ?? [], form.dirId)}</dd>
      </div>
      {more}
    </dl>
  )
}
