import { Card, Result } from 'antd'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { paths } from '../../app/paths.ts'
import { LinkButton } from '../../components/LinkButton.tsx'

export default function NotFoundPage() {
  const { pathname } = useLocation()
  useEffect(() => {
    document.title = '页面不存在 - 人群'
  }, [])
  return (
    <Card>
      <Result
        status="404"
        title={<h1 style={{ fontSize: 22, fontWeight: 500, margin: 0 }}>页面不存在</h1>}
        subTitle={`${pathname} 没有对应的页面，可能是链接有误，或页面已经移走。`}
        extra={
          <LinkButton primary to={paths.home()}>
            返回首页
          </LinkButton>
        }
      />
    </Card>
  )
}
