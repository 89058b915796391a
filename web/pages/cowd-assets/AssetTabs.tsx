import type { TabsProps } from 'antd'
import { afterPage, useAfterPage } from '../../components/later.tsx'
import styles from './asset-tabs.module.css'

const TABS = afterPage(() => import('antd/es/tabs'))

interface Props {
  activeKey: string
  items: { key: string; label: string }[]
  onChange: NonNullable<TabsProps['onChange']>
}

/** The page's tabs. They look the same, and can be clicked, until the code of antd's has arrived. */
export function AssetTabs(props: Props) {
  const tabs = useAfterPage(TABS)
  if (tabs) return <tabs.default {...props} />
  return (
    <div className={styles.tabs}>
      {props.items.map(({ key, label }) => (
        <button
          key={key}
          type="button"
          aria-current={key === props.activeKey}
          className={styles.tab}
          onClick={() => props.onChange(key)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
