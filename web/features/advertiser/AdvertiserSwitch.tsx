import { Select } from 'antd'
import styles from './advertiser.module.css'
import { useAdvertiser } from './advertiser-context.tsx'

/** Chooses the current advertiser. */
export function AdvertiserSwitch() {
  const { advertisers, advertiser, choose } = useAdvertiser()
  if (!advertiser) return null
  return (
    <Select
      aria-label="当前广告主"
      value={advertiser.id}
      onChange={choose}
      showSearch={{ optionFilterProp: 'label' }}
      options={advertisers.map((one) => ({ value: one.id, label: one.name }))}
      popupMatchSelectWidth={false}
      className={styles.switch}
    />
  )
}
