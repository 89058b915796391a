import { ReloadOutlined, WarningFilled } from '@ant-design/icons'
import { Button, Flex, Typography, theme } from 'antd'

interface Props {
  error: Error
  onRetry: () => unknown
  title?: string
  /** Fills the page instead of a part of it. */
  fullPage?: boolean
}

/** A failed query where its data would stand, with a retry. The query has `meta: {inPlace: true}`, so that no popup repeats it. */
export function LoadError({ error, onRetry, title = '加载失败', fullPage = false }: Props) {
  const { token } = theme.useToken()
  return (
    <Flex
      role="alert"
      vertical
      align="center"
      gap={4}
      style={{ padding: fullPage ? '24vh 24px' : '32px 16px', textAlign: 'center' }}
    >
      <WarningFilled style={{ fontSize: 32, color: token.colorWarning, marginBottom: 8 }} />
      <Typography.Text strong style={{ fontSize: 16 }}>
        {title}
      </Typography.Text>
      <Typography.Text type="secondary">{error.message}</Typography.Text>
      <Button icon={<ReloadOutlined />} style={{ marginTop: 12 }} onClick={() => onRetry()}>
        重试
      </Button>
    </Flex>
  )
}
