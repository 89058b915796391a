import { CloudUploadOutlined } from '@ant-design/icons'
import { Alert, Flex, Table, type TableColumnsType, Upload } from 'antd'
import { useRef, useState } from 'react'
import { takesWholeLines } from '#contract/identifier-column.ts'
import { TEXT_ENCODINGS } from '#contract/text-encoding.ts'
import { UPLOAD_ENDINGS, UPLOAD_FILES_MAX } from '#contract/upload.ts'
import { FileChoice } from '../../components/FileChoice.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatBytes } from '../../lib/format.ts'
import { FilePreview } from './FilePreview.tsx'
import { FileProgress } from './FileProgress.tsx'
import { hashedWords } from './hashed-words.ts'
import type { Refusal, UploadItem } from './items.ts'
import { KeptDownload } from './KeptDownload.tsx'
import { hashedTo, type Preparation } from './preparing.ts'
import styles from './upload.module.css'
import type { UploadList } from './upload-list.ts'

interface Props {
  items: readonly UploadItem[]
  list: UploadList
  /** null until a type is chosen. */
  preparation: Preparation | null
}

/** A drop zone, and a table of the files with their progress. */
export function UploadFiles({ items, list, preparation }: Props) {
  const [refused, setRefused] = useState<readonly Refusal[]>([])
  const picked = useRef<File[]>([])
  const isHashing = preparation !== null && hashedTo(preparation) !== null

  // antd passes the files of one choice one by one; they are checked together.
  const pick = (file: File) => {
    if (picked.current.length === 0) {
      queueMicrotask(() => {
        const files = picked.current
        picked.current = []
        if (preparation) setRefused(list.add(files))
      })
    }
    picked.current.push(file)
  }

  return (
    <>
      <Upload.Dragger
        className={styles.zone}
        accept={UPLOAD_ENDINGS.join(',')}
        multiple
        showUploadList={false}
        disabled={preparation === null}
        beforeUpload={(file) => {
          pick(file)
          return Upload.LIST_IGNORE
        }}
      >
        <p className="ant-upload-drag-icon">
          <CloudUploadOutlined />
        </p>
        <p className={styles.zoneText}>{preparation ? '将文件拖到此处，或点击选择' : '请先选择数据类型'}</p>
        <p className={styles.zoneHint}>
          支持 txt、text、csv（UTF-8 或 GBK）或 zip，每行一个标识，多列时可选一列；最多 {UPLOAD_FILES_MAX}{' '}
          个文件，单个不超过 {isHashing ? 200 : 50} MB，{isHashing ? '加密后总共不超过 5 GB' : '总共不超过 1000 MB'}
        </p>
      </Upload.Dragger>
      {refused.length > 0 && (
        <Alert
          type="error"
          showIcon
          closable={{ onClose: () => setRefused([]), 'aria-label': '关闭提示' }}
          className={styles.below}
          title={refused.map(({ name, reason }) => (
            <div key={name} className={text.anywhere}>
              {name}：{reason}
            </div>
          ))}
        />
      )}
      {items.length > 0 && <FileTable items={items} list={list} preparation={preparation} />}
    </>
  )
}

function FileTable({ items, list, preparation }: Props) {
  const columns: TableColumnsType<UploadItem> = [
    { title: '文件名', key: 'name', render: (_, item) => <FileName item={item} /> },
    { title: '大小', key: 'size', width: 100, align: 'right', render: (_, item) => formatBytes(item.size) },
    { title: '上传进度', key: 'progress', width: 320, render: (_, item) => <FileProgress item={item} /> },
    {
      title: '操作',
      key: 'actions',
      width: 150,
      render: (_, item) => <FileActions item={item} list={list} preparation={preparation} />,
    },
  ]
  /** What the viewer opened or closed; a file with columns, or with lines that are mostly malformed, is open at first. */
  const [opened, setOpened] = useState<Record<string, boolean>>({})
  const isOpen = (id: string) => {
    const item = items.find((one) => one.id === id)
    if (!item?.choice || list.firstLines(id) === null) return false
    return (
      opened[id] ??
      (!takesWholeLines(item.choice) || item.isMostlyBad || item.isUnclear || item.choice.encoding !== 'utf-8')
    )
  }
  const size = items.reduce((sum, item) => sum + item.size, 0)
  const done = items.filter((item) => item.phase === 'done').length
  return (
    <Table
      rowKey="id"
      size="middle"
      footer={items.length > 1 ? () => `共 ${items.length} 个文件，${formatBytes(size)}；已上传 ${done} 个` : undefined}
      className={styles.below}
      columns={columns}
      expandable={{
        expandedRowKeys: items.filter(({ id }) => isOpen(id)).map(({ id }) => id),
        rowExpandable: ({ id, choice }) => preparation !== null && choice !== null && list.firstLines(id) !== null,
        onExpand: (isOpened, { id }) => setOpened((all) => ({ ...all, [id]: isOpened })),
        expandedRowRender: (item) =>
          preparation && (
            <FilePreview
              item={item}
              lines={list.firstLines(item.id) ?? []}
              preparation={preparation}
              onChoose={(part) => {
                setOpened((all) => ({ ...all, [item.id]: true }))
                void list.choose(item.id, part)
              }}
            />
          ),
        expandIcon: ({ expanded, onExpand, record, expandable }) =>
          expandable ? (
            <RowAction onClick={(event) => onExpand(record, event)}>{expanded ? '收起' : '预览'}</RowAction>
          ) : null,
        columnWidth: 64,
      }}
      dataSource={[...items]}
      pagination={false}
      // Cuts long names, so that the other columns stay visible.
      tableLayout="fixed"
      aria-label="要上传的文件"
    />
  )
}

/** The name, a warning if the lines look like another type, and the hashing report. */
function FileName({ item: { name, looksLike, report, error, choice } }: { item: UploadItem }) {
  return (
    <>
      <WholeOnHover text={name}>
        <span className={text.cut}>{name}</span>
      </WholeOnHover>
      {looksLike && <div className={styles.mismatch}>前几行与所选数据类型不符，{looksLike}，请确认</div>}
      {report && (
        <div className={text.small}>
          {hashedWords(report)}
          {report.local_id !== null && <KeptDownload id={report.local_id} name={name} />}
        </div>
      )}
      {choice && choice.encoding !== 'utf-8' && (
        <div className={text.small}>文件按 {TEXT_ENCODINGS[choice.encoding]} 读取（可改）</div>
      )}
      {error && <div className={text.problem}>{error}</div>}
    </>
  )
}

function FileActions({
  item,
  list,
  preparation,
}: {
  item: UploadItem
  list: UploadList
  preparation: Preparation | null
}) {
  const [fault, setFault] = useState<string | null>(null)
  const { id, name, phase } = item
  return (
    <Flex gap="0 8px" wrap>
      {(phase === 'uploading' || phase === 'reconnecting') && (
        <RowAction onClick={() => list.pause(id)}>暂停</RowAction>
      )}
      {phase === 'paused' && preparation && <RowAction onClick={() => list.resume(id)}>继续</RowAction>}
      {phase === 'failed' && preparation && <RowAction onClick={() => list.resume(id)}>重试</RowAction>}
      {phase === 'lost' && (
        <FileChoice
          label={`重新选择「${name}」`}
          accept={UPLOAD_ENDINGS}
          onFile={(file) => preparation && setFault(list.bring(id, file))}
          button={(open) => <RowAction onClick={open}>选择文件</RowAction>}
        />
      )}
      <RowAction onClick={() => list.remove(id)}>
        {phase === 'done' || phase === 'lost' || phase === 'failed' ? '删除' : '取消'}
      </RowAction>
      {fault && <div className={`${text.problem} ${styles.fault}`}>{fault}</div>}
    </Flex>
  )
}
