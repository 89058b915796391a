import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Flex, Form, Segmented, Skeleton } from 'antd'
import { type ReactNode, useState } from 'react'
import type { DataOf } from '#contract/endpoint.ts'
import { IMPORT_KINDS, type ImportKind, listImports, previewImport, startImport } from '#contract/import.ts'
import { listTasks } from '#contract/task.ts'
import { LoadError } from '../../components/LoadError.tsx'
import text from '../../components/text.module.css'
import { queryOf, useAction } from '../../lib/query.ts'
import { ColumnTable } from './ColumnTable.tsx'
import { type ColumnRoles, commandOf, mappingOf, missingRoles, setNumbered, startingRoles } from './columns.ts'
import { Command } from './ImportDrawer.tsx'
import styles from './import.module.css'

const KINDS = (Object.keys(IMPORT_KINDS) as ImportKind[]).map((value) => ({ value, label: IMPORT_KINDS[value] }))

/** Sets a file's advertiser, kind and column roles, then starts the import. */
export function MappingStep(props: {
  uploadId: string
  fileName: string
  advertiser: { id: number; name: string } | null
  advertiserField: ReactNode
  onStarted: (id: number) => void
}) {
  const { uploadId, fileName, advertiser, advertiserField, onStarted } = props
  const [kind, setKind] = useState<ImportKind>('users')
  const preview = useQuery({
    ...queryOf(previewImport, { body: { upload_id: uploadId, kind } }),
    meta: { inPlace: true },
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <>
      <Form layout="inline" className={styles.mapping}>
        {advertiserField}
        <Form.Item label="数据类型">
          <Segmented<ImportKind> aria-label="数据类型" value={kind} onChange={setKind} options={KINDS} />
        </Form.Item>
        <Form.Item>
          <span className={text.hint}>
            {kind === 'users' ? '一行是一个用户，其余列成为属性' : '一行是一次事件，其余列成为事件属性'}
          </span>
        </Form.Item>
      </Form>
      {preview.data ? (
        <Mapping
          key={kind}
          preview={preview.data}
          kind={kind}
          uploadId={uploadId}
          fileName={fileName}
          advertiser={advertiser}
          onStarted={onStarted}
        />
      ) : preview.error ? (
        <LoadError error={preview.error} onRetry={preview.refetch} title="文件预览失败" />
      ) : (
        <Skeleton active title={false} paragraph={{ rows: 8, width: '100%' }} />
      )}
    </>
  )
}

function Mapping(props: {
  preview: DataOf<typeof previewImport>
  kind: ImportKind
  uploadId: string
  fileName: string
  advertiser: { id: number; name: string } | null
  onStarted: (id: number) => void
}) {
  const { preview, kind, uploadId, fileName, advertiser, onStarted } = props
  const [roles, setRoles] = useState<ColumnRoles>(() => startingRoles(kind, preview.columns, preview.guess))
  const start = useAction(startImport, [listImports, listTasks], { meta: { quiet: true } })
  const missing = missingRoles(roles)
  const mapping = mappingOf(roles)
  const problem =
    advertiser === null ? '请选择广告主' : missing.length > 0 ? `请指定哪一列是${missing.join('、')}` : null

  return (
    <Flex vertical gap={12} className={styles.options}>
      {kind === 'users' && (
        <Checkbox checked={roles.numbered} onChange={(event) => setRoles(setNumbered(roles, event.target.checked))}>
          文件中没有用户 ID 列，以行号作为用户 ID
        </Checkbox>
      )}
      <ColumnTable preview={preview} mapping={roles} onChange={setRoles} />
      {mapping && advertiser && <Command line={commandOf(mapping, fileName, advertiser.name)} />}
      {start.error && <Alert type="error" showIcon title={start.error.message} />}
      <Flex justify="flex-end" align="center" gap={12}>
        {problem && <span className={text.problem}>{problem}</span>}
        <Button
          type="primary"
          disabled={problem !== null}
          loading={start.isPending}
          onClick={() => {
            if (!mapping || !advertiser) return
            start.mutate(
              { body: { adv_id: advertiser.id, upload_id: uploadId, mapping } },
              { onSuccess: ({ id }) => onStarted(id) },
            )
          }}
        >
          开始导入
        </Button>
      </Flex>
    </Flex>
  )
}
