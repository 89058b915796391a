import { join } from 'node:path'
import { keysOf } from '#contract/common.ts'
import { isInUse, PLATFORMS, type Platform } from '#contract/platform.ts'
import type { Settings } from '../config/settings.ts'
import { ADAPTERS } from './adapters.ts'
import { sandboxProcess } from './sandbox-process.ts'

/** Where a platform is spoken to, and as which application. */
export interface PlatformAddress {
  url: string
  appId: string
  secret: string
  isSandbox: boolean
}

/** Where our own server passes the sandbox's OAuth pages on. */
export const SANDBOX_PAGES = '/api/oauth/sandbox'

/** The platforms that are set, and a sandbox of our own for the others. */
export function platformAddresses({ platforms, dataDir, role }: Pick<Settings, 'platforms' | 'dataDir' | 'role'>) {
  const sandbox = sandboxProcess(join(dataDir, 'sandbox'))
  let isClosed = false
  // With two processes each would have its own sandbox and not see what the other did there.
  const hasSandbox = role !== 'web'
  // A platform that the console does not use yet does not start it.
  const needsSandbox = keysOf(PLATFORMS).some(
    (platform) => isInUse(platform) && platforms[platform].url === undefined && ADAPTERS[platform].sandbox !== null,
  )

  /** What `of` will answer, without starting anything. A URL without an application is a sandbox that somebody started. */
  function kindOf(platform: Platform): 'sandbox' | 'real' | null {
    const { url, appId } = platforms[platform]
    if (url !== undefined && appId !== undefined) return 'real'
    if (ADAPTERS[platform].sandbox === null) return null
    return url !== undefined || hasSandbox ? 'sandbox' : null
  }

  const sandboxUrl = async () => (hasSandbox && needsSandbox ? sandbox.url() : null)

  return {
    /** The base of the sandbox that belongs to this process; null where it has none. */
    sandboxUrl,
    /** The address of a platform's page for a viewer's browser, which may not reach this machine's loopback. */
    async pageFor(url: string, origin: string): Promise<string> {
      // Real platforms stay usable when the sandbox does not start.
      const base = await sandboxUrl().catch(() => null)
      return base !== null && url.startsWith(`${base}/`) ? `${origin}${SANDBOX_PAGES}${url.slice(base.length)}` : url
    },
    /** Null where none is set and no sandbox stands in for it. */
    async of(platform: Platform): Promise<PlatformAddress | null> {
      const kind = kindOf(platform)
      if (kind === null) return null
      const { url, appId, secret } = platforms[platform]
      const standIn = ADAPTERS[platform].sandbox
      return {
        url: url?.replace(/\/+$/, '') ?? `${await sandbox.url()}${standIn?.prefix ?? ''}`,
        appId: appId ?? standIn?.appId ?? '',
        secret: secret ?? standIn?.secret ?? '',
        isSandbox: kind === 'sandbox',
      }
    },
    kindOf,
    /** Starts the sandbox, where one is needed, before anybody asks for it; answers where its page of switches is. */
    async start(): Promise<string | null> {
      try {
        const base = await sandboxUrl()
        return base === null ? null : `${base}/sandbox`
      } catch (error) {
        // The process was stopped first.
        if (isClosed) return null
        throw error
      }
    },
    async close(): Promise<void> {
      isClosed = true
      await sandbox.close()
    },
  }
}
