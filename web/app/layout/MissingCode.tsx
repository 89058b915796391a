import { Button } from 'antd'
import { useIsCodeMissing } from '../../components/missing-code.ts'
import styles from './Frame.module.css'

/** Offers a reload where code did not arrive: a browser does not ask for it again before one. */
export function MissingCode() {
  if (!useIsCodeMissing()) return null
  return (
    <div role="alert" className={styles.missingCode}>
      部分功能未能加载：控制台可能已更新，或网络已断开。
      <Button size="small" onClick={() => window.location.reload()}>
        重新加载
      </Button>
    </div>
  )
}
