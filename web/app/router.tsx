import { Skeleton } from 'antd'
import type { ComponentType } from 'react'
import { createBrowserRouter, type Location, Navigate, type RouteObject } from 'react-router'
import { forgetAllKeptLines, staysKept } from '../lib/hash/kept-store.ts'
import { paths } from '../lib/paths.ts'
import { Frame } from './layout/Frame.tsx'
import { RouteError } from './RouteError.tsx'

/** A page whose code is fetched when its route is first opened. */
const page = (path: string, load: () => Promise<{ default: ComponentType }>): RouteObject => ({
  path,
  lazy: async () => ({ Component: (await load()).default }),
})

const redirect = (path: string, to: string): RouteObject => ({ path, element: <Navigate to={to} replace /> })

const pages: RouteObject[] = [
  redirect('/', paths.assets()),
  redirect('/cowd-manage', paths.assets()),
  redirect('/campaign-manage', paths.activities()),
  redirect('/basic-manage', paths.advertiserData()),
  redirect('/basic-manage/index', paths.advertiserData()),

  page('/cowd-manage/cowd-assets/edit/:id', () => import('../pages/cowd-assets-edit/CowdAssetsEditPage.tsx')),
  page('/cowd-manage/cowd-assets/watch/:id', () => import('../pages/cowd-assets-watch/CowdAssetsWatchPage.tsx')),
  page('/cowd-manage/cowd-assets/profile/:id', () => import('../pages/crowd-profile/CrowdProfilePage.tsx')),
  page('/cowd-manage/cowd-assets/:tab?', () => import('../pages/cowd-assets/CowdAssetsPage.tsx')),
  page('/cowd-manage/custom-crowd/upload', () => import('../pages/custom-crowd-upload/CustomCrowdUploadPage.tsx')),
  page('/cowd-manage/custom-crowd/edit/:id', () => import('../pages/custom-crowd-upload/CustomCrowdEditPage.tsx')),
  page('/cowd-manage/custom-crowd/list?', () => import('../pages/custom-crowd/CustomCrowdPage.tsx')),
  page('/cowd-manage/user-list', () => import('../pages/user-list/UserListPage.tsx')),
  page('/cowd-manage/user-behavior/:oneID', () => import('../pages/user-behavior/UserBehaviorPage.tsx')),
  page('/cowd-manage/tags', () => import('../pages/tags/TagsPage.tsx')),

  page('/basic-manage/index/advertiser-data', () => import('../pages/advertiser-data/AdvertiserDataPage.tsx')),
  page('/basic-manage/index/data-access', () => import('../pages/data-access/DataAccessPage.tsx')),
  page('/basic-manage/index/suppression', () => import('../pages/suppression/SuppressionPage.tsx')),
  page('/basic-manage/index/webhooks', () => import('../pages/webhooks/WebhooksPage.tsx')),
  page('/basic-manage/index/users', () => import('../pages/users/UsersPage.tsx')),
  page('/basic-manage/index/tokens', () => import('../pages/tokens/TokensPage.tsx')),

  ...[
    'assets/crowd/:id',
    'assets/crowd/:platform/:id',
    'cowd-assets/:product/edit/:id',
    'cowd-assets/:product/watch/:id',
  ].map((path) => page(`/cowd-manage/${path}`, () => import('../pages/targeting-editor/PackagePage.tsx'))),
  page('/campaign-manage/list', () => import('../pages/campaign-list/CampaignListPage.tsx')),
  page('/campaign-manage/work-bench', () => import('../pages/work-bench/WorkBenchPage.tsx')),
  page('/campaign-manage/day-report', () => import('../pages/day-report/DayReportPage.tsx')),

  page('*', () => import('../pages/not-found/NotFoundPage.tsx')),
]

export function createRouter() {
  const router = createBrowserRouter(ROUTES)
  let before: Location = router.state.location
  router.subscribe(({ location }) => {
    if (!staysKept(before, location)) forgetAllKeptLines()
    before = location
  })
  return router
}

const ROUTES: RouteObject[] = [
  {
    errorElement: (
      <main>
        <RouteError />
      </main>
    ),
    // Nothing is drawn while the first page's code is fetched: it may be the sign-in page.
    hydrateFallbackElement: <div />,
    children: [
      page('/embed', () => import('../pages/embed/EmbedPage.tsx')),
      page('/shared/day-report', () => import('../pages/shared-report/SharedReportPage.tsx')),
      page('/login', () => import('../pages/login/LoginPage.tsx')),
      // A page's error keeps the frame, so that the menu still works.
      {
        element: <Frame />,
        children: [{ errorElement: <RouteError />, hydrateFallbackElement: <Skeleton active />, children: pages }],
      },
    ],
  },
]
