import { useLocation, useNavigate } from 'react-router'
import { AdvertiserSelect } from '../../domain/advertiser/AdvertiserSelect.tsx'
import styles from './advertiser.module.css'
import { useAdvertiser } from './advertiser-context.tsx'
import { withoutOwned } from './owned-state.ts'

/**
 * Chooses the current advertiser. What the page's address holds of the one before is dropped; a page whose unsaved work
 * is the other's asks first.
 */
export function AdvertiserSwitch() {
  const { advertisers, advertiser, chooseOnArrival } = useAdvertiser()
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
        navigate(pathname + withoutOwned(search), { replace: true, state: chooseOnArrival({ id, name }) })
      }}
      className={styles.switch}
    />
  )
}
