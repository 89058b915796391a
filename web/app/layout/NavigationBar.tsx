import { useNavigation } from 'react-router'
import styles from './NavigationBar.module.css'

/** A thin line at the top while the next page's code is fetched. */
export function NavigationBar() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return <div role="progressbar" aria-label="页面加载中" className={styles.bar} />
}
