import { Button, Result, Typography } from 'antd'
import { useEffect } from 'react'
import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { paths } from '../lib/paths.ts'
import styles from './route-error.module.css'

/** The page's code could not be fetched: the server has a newer version than this tab, or the network is gone. */
const didNotArrive = (error: unknown) =>
  error instanceof Error && /dynamically imported module|Importing a module script failed/i.test(error.message)

/** Shown when a page fails: what happened, and ways back. */
export function RouteError() {
  const error = useRouteError()
  useEffect(() => console.error(error), [error])
  const notArrived = didNotArrive(error)
  const detail = isRouteErrorResponse(error) ? error.statusText : error instanceof Error ? error.message : String(error)
  return (
    <div role="alert" className={styles.page}>
      <Result
        status={notArrived ? 'info' : 'error'}
        title={notArrived ? '页面未能加载' : '页面出错了'}
        subTitle={
          notArrived
            ? '控制台可能已更新，或网络已断开，请重新加载后再试。'
            : '已保存的内容不受影响。可以重新加载此页，或返回首页继续操作。'
        }
        extra={
          <>
            <Button type="primary" onClick={() => window.location.reload()}>
              重新加载
            </Button>
            <Link to={paths.home()} reloadDocument>
              <Button tabIndex={-1}>返回首页</Button>
            </Link>
          </>
        }
      >
        {!notArrived && (
          <Typography.Paragraph type="secondary" className={styles.detail} copyable={{ text: detail }}>
            错误信息：{detail}
          </Typography.Paragraph>
        )}
      </Result>
    </div>
  )
}
