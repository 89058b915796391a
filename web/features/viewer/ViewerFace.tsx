import { DownOutlined, UserOutlined } from '@ant-design/icons'
import { Button, type ButtonProps, Flex } from 'antd'
import styles from './viewer.module.css'
import { useViewer } from './viewer-context.ts'

/** The viewer's mark and name in the top bar; a button of the menu once that has arrived. */
export function ViewerFace(props: ButtonProps) {
  const viewer = useViewer()
  const name = viewer.realname || viewer.username
  return (
    <Button type="text" aria-label={`当前成员：${name}`} {...props} className={styles.button}>
      <Flex align="center" gap={8}>
        <span className={styles.avatar}>
          <UserOutlined />
        </span>
        <span className={styles.name}>{name}</span>
        <DownOutlined className={styles.caret} />
      </Flex>
    </Button>
  )
}
