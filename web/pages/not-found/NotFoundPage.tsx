import { Card, Result } from 'antd'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { LinkButton } from '../../components/LinkButton.tsx'
import text from '../../components/text.module.css'
import { paths } from '../../lib/paths.ts'
import styles from './not-found.module.css'

export default function NotFoundPage() {
  const { pathname } = useLocation()
  useEffect(() => {
    document.title = '页面不存在 - 人群'
  }, [])
  return (
    <Card>
      <Result
        status="404"
        title={<h1 className={styles.title}>页面不存在</h1>}
        subTitle={
          <span className={text.anywhere}>
            「{readable(pathname)}」没有对应的页面，可能是链接有误，或页面已经移走。
          </span>
        }
        extra={
          <LinkButton primary to={paths.home()}>
            返回首页
          </LinkButton>
        }
      />
    </Card>
  )
}

/** Decoded for display; an invalid encoding stays as it is. */
function readable(pathname: string): string {
  try {
    return decodeURI(pathname)
  } catch {
    return pathname
  }
}
