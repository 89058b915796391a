import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Checkbox, Flex, Form, Segmented, Select, Skeleton } from 'antd'
import { type ReactNode, useState } from 'react'
import { keysOf } from '#contract/common.ts'
import type { DataOf } from '#contract/endpoint.ts'
import {
  IMPORT_KINDS,
  type ImportKind,
  type ImportMapping,
  listImports,
  previewImport,
  startImport,
} from '#contract/import.ts'
import { listTasks } from '#contract/task.ts'
import { TEXT_ENCODINGS, type TextEncoding } from '#contract/text-encoding.ts'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import text from '../../components/text.module.css'
import { useEdition } from '../../lib/edition.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { ColumnTable } from './ColumnTable.tsx'
import { type ColumnRoles, commandOf, mappingOf, missingRoles, setNumbered, startingRoles } from './columns.ts'
import { Command } from './ImportDrawer.tsx'
import styles from './import.module.css'
import { PreviewFailed } from './PreviewFailed.tsx'
import { PreviewProblems } from './PreviewProblems.tsx'
import { ReportPreview } from './ReportPreview.tsx'

const KINDS = (Object.keys(IMPORT_KINDS) as ImportKind[]).map((value) => ({ value, label: IMPORT_KINDS[value] }))

const HINTS: Record<ImportKind, string> = {
  users: '一行是一个用户，其余列成为属性',
  events: '一行是一次事件，其余列成为事件属性',
  reports: '一行是一个活动或计划一天的数据，替换文件中各账户各天的数据；活动按平台账户 ID 与平台计划 ID 取数',
}

interface Chosen {
  id: number
  name: string
  is_demo?: boolean | undefined
}

const ENCODINGS = keysOf(TEXT_ENCODINGS).map((value) => ({ value, label: TEXT_ENCODINGS[value] }))

/** Sets a file's advertiser, kind and column roles, then starts the import. */
export function MappingStep(props: {
  uploadId: string
  fileName: string
  advertiser: Chosen | null
  advertiserField: ReactNode
  onOtherFile: () => void
  onStarted: (id: number) => void
}) {
  const { uploadId, fileName, advertiser, advertiserField, onOtherFile, onStarted } = props
  const [chosenKind, setKind] = useState<ImportKind | null>(null)
  const [chosenEncoding, setEncoding] = useState<TextEncoding | null>(null)
  const preview = useQuery({
    ...queryOf(previewImport, {
      body: {
        upload_id: uploadId,
        ...(chosenKind && { kind: chosenKind }),
        ...(chosenEncoding && { encoding: chosenEncoding }),
      },
    }),
    meta: { inPlace: true },
    staleTime: Number.POSITIVE_INFINITY,
  })
  const kind = chosenKind ?? preview.data?.kind ?? 'users'
  const encoding = preview.data ? preview.data.encoding : chosenEncoding
  return (
    <>
      <Form layout="inline" className={styles.mapping}>
        {advertiserField}
        <Form.Item label="数据类型">
          <Segmented<ImportKind> aria-label="数据类型" value={kind} onChange={setKind} options={KINDS} />
        </Form.Item>
        {encoding && (
          <Form.Item label="文件编码">
            <Select<TextEncoding>
              aria-label="文件编码"
              value={encoding}
              onChange={setEncoding}
              options={ENCODINGS}
              className={styles.encoding}
            />
            {encoding !== 'utf-8' && (
              <span className={`${text.hint} ${styles.encodingHint}`}>
                文件按 {TEXT_ENCODINGS[encoding]} 读取（可改）
              </span>
            )}
          </Form.Item>
        )}
        <Form.Item>
          <span className={text.hint}>{HINTS[kind]}</span>
        </Form.Item>
      </Form>
      {preview.data ? (
        <Mapping
          key={`${kind} ${encoding}`}
          encoding={chosenEncoding}
          preview={preview.data}
          kind={kind}
          uploadId={uploadId}
          fileName={fileName}
          advertiser={advertiser}
          onStarted={onStarted}
        />
      ) : preview.error ? (
        <PreviewFailed error={preview.error} onRetry={preview.refetch} onOtherFile={onOtherFile} />
      ) : (
        <Skeleton active title={false} paragraph={{ rows: 8, width: '100%' }} />
      )}
    </>
  )
}

function Mapping(props: {
  /** Where the viewer chose one. */
  encoding: TextEncoding | null
  preview: DataOf<typeof previewImport>
  kind: ImportKind
  uploadId: string
  fileName: string
  advertiser: Chosen | null
  onStarted: (id: number) => void
}) {
  const { encoding, preview, kind, uploadId, fileName, advertiser, onStarted } = props
  const { isSaas } = useEdition()
  const [roles, setRoles] = useState<ColumnRoles>(() => startingRoles(kind, preview.columns, preview.guess))
  const start = useAction(startImport, [listImports, listTasks], { meta: { quiet: true } })
  const missing = missingRoles(roles)
  const mapped = mappingOf(roles)
  const mapping = mapped && { ...mapped, ...(encoding && { encoding }) }
  const checked = useChecked(uploadId, mapping, advertiser?.id)
  const { lines, problems } = checked ?? preview
  const [confirmed, setConfirmed] = useState<number | null>(null)
  const isUnsure = advertiser?.is_demo === true && confirmed !== advertiser.id
  const problem =
    advertiser === null
      ? '请选择广告主'
      : missing.length > 0
        ? `请指定哪一列是${missing.join('、')}`
        : isUnsure
          ? '请确认导入到示例广告主'
          : null

  return (
    <Flex vertical gap={12} className={styles.options}>
      {kind === 'users' && (
        <Checkbox checked={roles.numbered} onChange={(event) => setRoles(setNumbered(roles, event.target.checked))}>
          文件中没有用户 ID 列，以行号作为用户 ID
        </Checkbox>
      )}
      {roles.numbered && (
        <Alert
          type="warning"
          showIcon
          title="每个文件的同一行都是同一个用户：再以行号导入另一个文件，会改写这些用户。"
        />
      )}
      <ColumnTable preview={preview} lines={lines} mapping={roles} onChange={setRoles} />
      <PreviewProblems problems={problems} lines={lines.length} />
      {checked?.reports && <ReportPreview reports={checked.reports} />}
      {isSaas && mapping && advertiser && <Command line={commandOf(mapping, fileName, advertiser.name)} />}
      {advertiser?.is_demo && (
        <Checkbox checked={!isUnsure} onChange={({ target }) => setConfirmed(target.checked ? advertiser.id : null)}>
          「{advertiser.name}」是示例数据的广告主，确认把文件导入到这里
        </Checkbox>
      )}
      {start.error && <Alert type="error" showIcon title={start.error.message || '操作失败'} />}
      <Flex justify="flex-end" align="center" gap={12}>
        {problem && <span className={text.problem}>{problem}</span>}
        <ChangeButton
          changes={advertiser?.id ?? 'current'}
          type="primary"
          refusal={problem}
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
        </ChangeButton>
      </Flex>
    </Flex>
  )
}

/** The first lines checked by the mapping as it is now; the answer before stays until the next one is there. */
function useChecked(uploadId: string, mapping: ImportMapping | null, advId: number | undefined) {
  const { data } = useQuery({
    ...queryOf(previewImport, {
      body: { upload_id: uploadId, ...(mapping && { mapping }), ...(advId !== undefined && { adv_id: advId }) },
    }),
    enabled: mapping !== null,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { silent: 'optional' },
  })
  return mapping === null ? null : data
}
