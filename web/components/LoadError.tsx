import { ReloadOutlined } from '@ant-design/icons'
import { Button, Result } from 'antd'
import { useLayoutEffect } from 'react'
import { showInPlace } from '../lib/shown-errors.ts'

interface Props {
  error: Error
  onRetry: () => unknown
  title?: string
  fullPage?: boolean
}

/** What could not be loaded, said where it would have stood, with a way to try again. */
export function LoadError({ error, onRetry, title = '加载失败', fullPage = false }: Props) {
  // Before the popup's delay runs out: a failure that stands here is not told a second time.
  useLayoutEffect(() => showInPlace(error), [error])
  return (
    <div role="alert" style={fullPage ? { paddingBlock: '12vh' } : undefined}>
      <Result
        status="warning"
        title={title}
        subTitle={error.message}
        style={{ padding: '32px 16px' }}
        extra={
          <Button icon={<ReloadOutlined />} onClick={() => onRetry()}>
            重试
          </Button>
        }
      />
    </div>
  )
}
