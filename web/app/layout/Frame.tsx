import { useQuery } from '@tanstack/react-query'
import { Layout } from 'antd'
import { useEffect, useState } from 'react'
import { Outlet } from 'react-router'
import { listAdvertisers } from '#contract/advertiser.ts'
import { getViewer } from '#contract/viewer.ts'
import { LoadError } from '../../components/LoadError.tsx'
import { AdvertiserProvider } from '../../features/advertiser/advertiser-context.tsx'
import { ViewerContext } from '../../features/viewer/viewer-context.ts'
import { isFault } from '../../lib/call.ts'
import { embedding } from '../../lib/embedding.ts'
import { queryOf } from '../../lib/query.ts'
import { saved, switchViewer } from '../../lib/saved-context.ts'
import styles from './Frame.module.css'
import { FrameSkeleton } from './FrameSkeleton.tsx'
import { NavigationBar } from './NavigationBar.tsx'
import { SideBar } from './SideBar.tsx'
import { TopBar } from './TopBar.tsx'

/** Below this window width, px, the menu starts folded. */
const ROOMY = 960

/** Top bar and menu around every page of a signed-in viewer. In a frame of another site there is only the page. */
export function Frame() {
  const viewer = useQuery({ ...queryOf(getViewer), staleTime: 60_000, meta: { inPlace: true } })
  const advertisers = useQuery({
    ...queryOf(listAdvertisers, { query: { page: 1, per_page: 500, auth_type: -1 } }),
    enabled: viewer.isSuccess,
    meta: { inPlace: true },
  })
  const viewerId = viewer.data?.id
  useEffect(() => {
    if (viewerId !== undefined) switchViewer(viewerId)
  }, [viewerId])
  const [isFolded, setFolded] = useState(() => saved.sideBarFolded.get() ?? window.innerWidth < ROOMY)

  const failed = [viewer, advertisers].find((query) => query.error && query.data === undefined)
  // Signed out: the sign-in page is about to open.
  if (failed?.error && !isFault(failed.error, 'signedOut'))
    return <LoadError error={failed.error} onRetry={failed.refetch} fullPage />
  if (!viewer.data || !advertisers.data) return <FrameSkeleton isFolded={isFolded} />

  if (embedding())
    return (
      <ViewerContext value={viewer.data}>
        <AdvertiserProvider advertisers={advertisers.data.data}>
          <main className={styles.embedded}>
            <div className={styles.page}>
              <Outlet />
            </div>
          </main>
        </AdvertiserProvider>
      </ViewerContext>
    )

  const fold = (next: boolean) => {
    saved.sideBarFolded.set(next)
    setFolded(next)
  }
  return (
    <ViewerContext value={viewer.data}>
      <AdvertiserProvider advertisers={advertisers.data.data}>
        <a className="skip-link" href="#content">
          跳到主要内容
        </a>
        <Layout className={styles.frame}>
          <NavigationBar />
          <TopBar />
          <Layout hasSider>
            <SideBar isFolded={isFolded} onFold={fold} />
            <Layout.Content id="content" tabIndex={-1} className={styles.content}>
              <div className={styles.page}>
                <Outlet />
              </div>
            </Layout.Content>
          </Layout>
        </Layout>
      </AdvertiserProvider>
    </ViewerContext>
  )
}
