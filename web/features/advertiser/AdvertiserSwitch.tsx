import { useLocation, useNavigate } from 'react-router'
import { AdvertiserSelect } from '../../domain/advertiser/AdvertiserSelect.tsx'
import styles from './advertiser.module.css'
import { useAdvertiser } from './advertiser-context.tsx'
import { withoutOwned } from './owned-state.ts'

/** Chooses the current advertiser. What the page's address holds of the one before is dropped. */
export function AdvertiserSwitch() {
  const { advertisers, advertiser, choose } = useAdvertiser()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  if (!advertiser) return null
  return (
    <AdvertiserSelect<never>
      label="当前广告主"
      value={advertiser.id}
      known={advertisers}
      onChange={(id, name) => {
        if (id === advertiser.id) return
        choose(id, name)
        const left = withoutOwned(search)
        if (left !== search) navigate(pathname + left, { replace: true })
      }}
      className={styles.switch}
    />
  )
}
