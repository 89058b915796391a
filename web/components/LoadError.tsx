import { ReloadOutlined, WarningFilled } from '@ant-design/icons'
import { Button, Flex } from 'antd'
import styles from './load-error.module.css'
import text from './text.module.css'

interface Props {
  error: Error
  onRetry: () => unknown
  title?: string
  /** Fills the page instead of a part of it. */
  fullPage?: boolean
}

/** Shown in place of the data of a failed query, with a retry. The query has `meta: {inPlace: true}`, so that no popup repeats it. */
export function LoadError({ error, onRetry, title = '加载失败', fullPage = false }: Props) {
  return (
    <Flex role="alert" vertical align="center" gap={4} className={`${styles.error} ${fullPage ? styles.fullPage : ''}`}>
      <WarningFilled className={styles.icon} />
      <strong className={styles.title}>{title}</strong>
      <span className={text.secondary}>{error.message || '请求失败'}</span>
      <Button icon={<ReloadOutlined />} className={styles.retry} onClick={() => onRetry()}>
        重试
      </Button>
    </Flex>
  )
}
