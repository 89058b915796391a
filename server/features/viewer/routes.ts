import { createEmbedToken, openEmbedSession } from '#contract/embed.ts'
import * as contract from '#contract/viewer.ts'
import { serve } from '../../http/serve.ts'
import type { EmbedService } from './embed.ts'
import type { ViewerService } from './service.ts'
import { presentViewer, type SessionService } from './session.ts'

export const viewerRoutes = (sessions: SessionService, viewers: ViewerService, embedding: EmbedService) => [
  serve(contract.login, async ({ body, from, setSession, setBrowser }) => {
    const { viewer, token, browser } = await sessions.signIn(body.username.trim(), body.password, from)
    setSession(token)
    setBrowser(browser)
    return viewer
  }),
  serve(contract.logout, async ({ viewer, setSession }) => {
    await sessions.signOut(viewer)
    setSession(null)
    return null
  }),
  serve(contract.getViewer, async ({ viewer }) => presentViewer(viewer)),
  serve(contract.changePassword, async ({ viewer, body, from, setBrowser }) => {
    setBrowser(await sessions.changePassword(viewer, body, from))
    return null
  }),

  serve(contract.listViewers, () => viewers.list()),
  serve(contract.createViewer, ({ viewer, body }) => viewers.create(viewer, body)),
  serve(contract.updateViewer, async ({ viewer, params, body }) => {
    await viewers.update(viewer, params.id, body)
    return null
  }),
  serve(contract.deleteViewer, async ({ viewer, params }) => {
    await viewers.remove(viewer, params.id)
    return null
  }),
  serve(contract.resetViewerPassword, async ({ viewer, params, body }) => {
    await viewers.setPassword(viewer, params.id, body)
    return null
  }),

  serve(contract.listSessions, ({ viewer }) => sessions.sessions(viewer)),
  serve(contract.endSession, async ({ viewer, params }) => {
    await sessions.endSession(viewer, params.id)
    return null
  }),
  serve(contract.listTokens, ({ viewer }) => sessions.tokens(viewer)),
  serve(contract.createToken, ({ viewer, body }) => sessions.createToken(viewer, body.name, body.expires_at)),
  serve(contract.deleteToken, async ({ viewer, params }) => {
    await sessions.deleteToken(viewer, params.id)
    return null
  }),

  serve(createEmbedToken, ({ viewer, body }) => embedding.createToken(viewer, body)),
  serve(openEmbedSession, ({ body, from }) => embedding.openSession(body.token, from)),
]
