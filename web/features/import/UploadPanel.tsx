import { CloudUploadOutlined, FileOutlined } from '@ant-design/icons'
import { Alert, Button, Flex, Progress, Upload } from 'antd'
import text from '../../components/text.module.css'
import { formatBytes, formatDuration } from '../../lib/format.ts'
import { secondsLeft } from '../../lib/transfer-speed.ts'
import styles from './import.module.css'
import { ACCEPTED } from './upload-file.ts'
import type { UploadState } from './use-upload.ts'

const PHASES: Partial<Record<UploadState['phase'], string>> = {
  reconnecting: '连接中断，正在重试',
  paused: '已暂停',
  sent: '上传完成',
}

/** A drop zone, then the file on its way: how much, how fast, how long still. */
export function UploadPanel(props: {
  state: UploadState
  canResume: boolean
  onFile: (file: File) => void
  onPause: () => void
  onResume: () => void
  onClear: () => void
}) {
  const { state, canResume, onFile, onPause, onResume, onClear } = props
  const { phase, name, size, sent, speed, error } = state

  if (phase === 'idle' || (phase === 'failed' && !canResume)) {
    return (
      <>
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
            支持 csv、ndjson、jsonl、parquet 及其 .gz 压缩文件，UTF-8 编码，单个文件不超过 5 GB
          </p>
        </Upload.Dragger>
        {error && <Alert type="error" showIcon style={{ marginTop: 12 }} title={`${name}：${error}`} />}
      </>
    )
  }

  const percent = size > 0 ? Math.floor((sent / size) * 100) : 0
  const left = secondsLeft(size, sent, speed)
  return (
    <div className={styles.file}>
      <FileOutlined className={styles.fileIcon} />
      <div className={styles.fileBody}>
        <Flex justify="space-between" gap={12}>
          <span className={text.cut} title={name}>
            {name}
          </span>
          <span className={text.hint} aria-live="polite">
            {PHASES[phase] ??
              (speed === null
                ? ''
                : `${formatBytes(speed)}/秒${left === null ? '' : `，剩余 ${formatDuration(left)}`}`)}
          </span>
        </Flex>
        <Progress
          percent={percent}
          size="small"
          aria-label="上传进度"
          status={
            phase === 'failed' ? 'exception' : phase === 'sent' ? 'success' : phase === 'sending' ? 'active' : 'normal'
          }
        />
        <span className={text.hint}>
          {formatBytes(sent)} / {formatBytes(size)}
        </span>
        {error && <div className={text.problem}>{error}</div>}
      </div>
      <Flex gap={8}>
        {(phase === 'sending' || phase === 'reconnecting') && (
          <Button size="small" onClick={onPause}>
            暂停
          </Button>
        )}
        {(phase === 'paused' || phase === 'failed') && (
          <Button size="small" type="primary" onClick={onResume}>
            {phase === 'failed' ? '重试' : '继续'}
          </Button>
        )}
        <Button size="small" onClick={onClear}>
          {phase === 'sent' ? '换一个文件' : '取消'}
        </Button>
      </Flex>
    </div>
  )
}
