import { CloudUploadOutlined, FileOutlined } from '@ant-design/icons'
import { Alert, Button, Flex, Progress, type ProgressProps, Upload } from 'antd'
import { FileChoice } from '../../components/FileChoice.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatBytes, formatDuration } from '../../lib/format.ts'
import { secondsLeft } from '../../lib/transfer-speed.ts'
import type { Phase, Transfer } from '../../lib/upload/transfer.ts'
import styles from './import.module.css'
import { ACCEPTED } from './upload-file.ts'
import type { ImportUpload, RefusedFile } from './use-upload.ts'

const PHASES: Partial<Record<Phase, string>> = {
  reading: '准备中',
  reconnecting: '连接中断，正在重试',
  paused: '已暂停',
  done: '上传完成',
}
const STATUS: Partial<Record<Phase, ProgressProps['status']>> = {
  failed: 'exception',
  done: 'success',
  uploading: 'active',
}

/** A drop zone, then the upload's progress, speed and time left. */
export function UploadPanel({ upload }: { upload: ImportUpload }) {
  const { file, refused } = upload
  return (
    <>
      {file ? <FileOnItsWay file={file} upload={upload} /> : <DropZone onFile={upload.begin} />}
      {refused && <Refused {...refused} />}
    </>
  )
}

const Refused = ({ name, reason }: RefusedFile) => (
  <Alert type="error" showIcon className={styles.refusedFile} title={`${name}：${reason}`} />
)

const DropZone = ({ onFile }: { onFile: (file: File) => void }) => (
  <Upload.Dragger
    accept={ACCEPTED.join(',')}
    multiple={false}
    showUploadList={false}
    beforeUpload={(file) => {
      onFile(file)
      return Upload.LIST_IGNORE
    }}
  >
    <p className="ant-upload-drag-icon">
      <CloudUploadOutlined />
    </p>
    <p className="ant-upload-text">将文件拖到此处，或点击选择</p>
    <p className="ant-upload-hint">
      支持 csv、ndjson、jsonl、parquet 及其 .gz 压缩文件，UTF-8 或 GBK 编码，单个文件不超过 5 GB
    </p>
  </Upload.Dragger>
)

function FileOnItsWay({ file, upload }: { file: Transfer; upload: ImportUpload }) {
  const { phase, name, size, sent, speed, error } = file
  const percent = size > 0 ? Math.floor((sent / size) * 100) : 0
  const left = secondsLeft(size, sent, speed)
  const pace = speed === null ? '' : `${formatBytes(speed)}/秒${left === null ? '' : `，剩余 ${formatDuration(left)}`}`
  return (
    <div className={styles.file}>
      <FileOutlined className={styles.fileIcon} />
      <div className={styles.fileBody}>
        <Flex justify="space-between" gap={12}>
          <WholeOnHover text={name}>
            <span className={text.cut}>{name}</span>
          </WholeOnHover>
          <span className={text.hint} aria-live="polite">
            {PHASES[phase] ?? pace}
          </span>
        </Flex>
        <Progress percent={percent} size="small" aria-label="上传进度" status={STATUS[phase] ?? 'normal'} />
        <span className={text.hint}>
          {formatBytes(sent)} / {formatBytes(size)}
        </span>
        {error && <div className={text.problem}>{error}</div>}
      </div>
      <FileButtons phase={phase} upload={upload} />
    </div>
  )
}

function FileButtons({ phase, upload }: { phase: Phase; upload: ImportUpload }) {
  return (
    <Flex gap={8}>
      {(phase === 'uploading' || phase === 'reconnecting') && (
        <Button size="small" onClick={upload.pause}>
          暂停
        </Button>
      )}
      {(phase === 'paused' || phase === 'failed') && (
        <Button size="small" type="primary" onClick={upload.resume}>
          {phase === 'failed' ? '重试' : '继续'}
        </Button>
      )}
      {phase === 'lost' && (
        <FileChoice
          label="重新选择文件"
          accept={ACCEPTED}
          onFile={upload.bring}
          button={(open) => (
            <Button size="small" type="primary" onClick={open}>
              选择文件
            </Button>
          )}
        />
      )}
      <Button size="small" onClick={upload.clear}>
        {phase === 'done' ? '换一个文件' : '取消'}
      </Button>
    </Flex>
  )
}
