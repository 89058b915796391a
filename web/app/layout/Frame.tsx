import { useQuery } from '@tanstack/react-query'
import { Layout } from 'antd'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { Outlet } from 'react-router'
import { getViewer } from '#contract/viewer.ts'
import { POPUPS } from '../../antd/popups.ts'
import { LoadError } from '../../components/LoadError.tsx'
import { useAfterPage } from '../../components/later.tsx'
import { useLeaveQuestion } from '../../components/use-leave-guard.ts'
import { useRowFocus } from '../../components/use-row-focus.ts'
import { AdvertiserProvider } from '../../features/advertiser/advertiser-context.tsx'
import { useAdvertisers } from '../../features/advertiser/use-advertisers.ts'
import { ViewerContext } from '../../features/viewer/viewer-context.ts'
import { isFault } from '../../lib/call.ts'
import { embedding } from '../../lib/embedding.ts'
import { queryOf } from '../../lib/query.ts'
import { saved, switchViewer } from '../../lib/saved-context.ts'
import styles from './Frame.module.css'
import { FrameSkeleton } from './FrameSkeleton.tsx'
import { MembershipProvider } from './MembershipProvider.tsx'
import { MissingCode } from './MissingCode.tsx'
import { NavigationBar } from './NavigationBar.tsx'
import { SideBar } from './SideBar.tsx'
import { TopBar } from './TopBar.tsx'

/** Below this window width, px, the menu starts folded. */
const ROOMY = 960

/** Top bar and menu around every page of a signed-in viewer. In a frame of another site there is only the page. */
export function Frame() {
  const viewer = useQuery({ ...queryOf(getViewer), staleTime: 60_000, meta: { inPlace: true } })
  const advertisers = useAdvertisers(viewer.isSuccess)
  const viewerId = viewer.data?.id
  useAfterPage(POPUPS)
  useRowFocus()
  useLeaveQuestion()
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
        <AdvertiserProvider advertisers={advertisers.data} onReload={advertisers.refetch}>
          <MembershipProvider>
            <main className={styles.embedded}>
              <div className={styles.page}>
                <Outlet />
              </div>
            </main>
          </MembershipProvider>
        </AdvertiserProvider>
      </ViewerContext>
    )

  const fold = (next: boolean) => {
    saved.sideBarFolded.set(next)
    setFolded(next)
  }
  return (
    <ViewerContext value={viewer.data}>
      <AdvertiserProvider advertisers={advertisers.data} onReload={advertisers.refetch}>
        <MembershipProvider>
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
                  <OnceFrameIsDrawn>
                    <Outlet />
                  </OnceFrameIsDrawn>
                </div>
              </Layout.Content>
            </Layout>
          </Layout>
          <MissingCode />
        </MembershipProvider>
      </AdvertiserProvider>
    </ViewerContext>
  )
}

/** The first page is drawn after the frame around it, so that the frame is shown sooner. */
function OnceFrameIsDrawn({ children }: { children: ReactNode }) {
  const isDrawn = useDeferredValue(true, false)
  return isDrawn && children
}
