import { startAuthorisation } from '#contract/authorisation.ts'
import type { PlatformCode } from '#contract/platform.ts'
import type { RealServer } from './real-server.ts'
import type { TestSandbox } from './sandbox.ts'

/** Authorises accounts as a person would: consents on the sandbox's page and returns with its parameters. */
export async function consentTo(
  server: RealServer,
  sandbox: TestSandbox,
  { adv_id, platform, accounts }: { adv_id: number; platform: PlatformCode; accounts: string[] },
): Promise<void> {
  const { url } = await server.admin.get(startAuthorisation, { body: { adv_id, platform } })
  const back = await sandbox.consent(url, { accounts })
  await fetch((await server.origin()) + back.pathname + back.search, {
    headers: { cookie: server.admin.cookie },
    redirect: 'manual',
  })
}
