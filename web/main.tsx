import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import './app/global.css'
import { Providers } from './app/providers.tsx'
import { createRouter } from './app/router.tsx'
import { embedding } from './lib/embedding.ts'
import { paths } from './lib/paths.ts'
import { sessionEnd } from './lib/session-end.ts'

const router = createRouter()

/** Goes to the sign-in page, which leads back; in a frame the site around it signs in again. */
function toLogin(hadSession: boolean) {
  if (embedding()) return void router.navigate(paths.embed(), { replace: true, state: sessionEnd(hadSession) })
  const { pathname, search, hash } = router.state.location
  if (pathname === '/login') return
  void router.navigate(paths.login(pathname === '/' ? undefined : pathname + search + hash), {
    replace: true,
    state: sessionEnd(hadSession),
  })
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <Providers onSignedOut={toLogin}>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
)
