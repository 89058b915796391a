import { CloseCircleFilled, InfoCircleFilled } from '@ant-design/icons'
import { Button, Flex } from 'antd'
import { useEffect } from 'react'
import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { CopyIcon } from '../components/CopyIcon.tsx'
import text from '../components/text.module.css'
import { paths } from '../lib/paths.ts'
import styles from './route-error.module.css'

/** The page's code could not be fetched: the server has a newer version than this tab, or the network is gone. */
const didNotArrive = (error: unknown) =>
  error instanceof Error &&
  /dynamically imported module|Importing a module script failed|Unable to preload CSS/i.test(error.message)

/** Shown when a page fails: what happened, and ways back. Part of the first code, because later code may not arrive. */
export function RouteError() {
  const error = useRouteError()
  useEffect(() => console.error(error), [error])
  const notArrived = didNotArrive(error)
  const detail = isRouteErrorResponse(error) ? error.statusText : error instanceof Error ? error.message : String(error)
  return (
    <Flex role="alert" vertical align="center" gap={8} className={styles.page}>
      {notArrived ? (
        <InfoCircleFilled className={`${styles.icon} ${text.busy}`} />
      ) : (
        <CloseCircleFilled className={`${styles.icon} ${text.error}`} />
      )}
      <h1 className={styles.title}>{notArrived ? '页面未能加载' : '页面出错了'}</h1>
      <span className={text.secondary}>
        {notArrived
          ? '控制台可能已更新，或网络已断开，请重新加载后再试。'
          : '已保存的内容不受影响。可以重新加载此页，或返回首页继续操作。'}
      </span>
      <Flex gap={8} className={styles.actions}>
        <Button type="primary" onClick={() => window.location.reload()}>
          重新加载
        </Button>
        <Link to={paths.home()} reloadDocument>
          <Button tabIndex={-1}>返回首页</Button>
        </Link>
      </Flex>
      {!notArrived && (
        <p className={`${text.secondary} ${styles.detail}`}>
          错误信息：{detail} <CopyIcon text={detail} />
        </p>
      )}
    </Flex>
  )
}
