/**
 * Consents on the sandbox's page with what a person chooses, by default everything; answers the redirect's URL. `cookie`:
 * of a session, where the console passes the page on.
 */
export async function consentOn(
  pageUrl: string,
  choice: { login?: string; accounts?: string[]; scopes?: string[]; decision?: 'approve' | 'deny' } = {},
  cookie?: string,
): Promise<URL> {
  const url = new URL(pageUrl)
  if (choice.login) url.searchParams.set('login', choice.login)
  const headers = { origin: url.origin, ...(cookie !== undefined && { cookie }) }
  const html = await (await fetch(url, { headers })).text()
  const values = (name: string, ticked: boolean) =>
    [...html.matchAll(new RegExp(`name="${name}" value="([^"]+)"( checked)?`, 'g'))]
      .filter(([, , isChecked]) => !ticked || isChecked)
      .map(([, value = '']) => value)
  const form = new URLSearchParams({
    login: values('login', false)[0] ?? '',
    decision: choice.decision ?? 'approve',
  })
  for (const account of choice.accounts ?? values('account', true)) form.append('account', account)
  for (const scope of choice.scopes ?? values('scope', true)) form.append('scope', scope)
  const answer = await fetch(url, { method: 'POST', headers, body: form, redirect: 'manual' })
  const location = answer.headers.get('location')
  if (!location) throw new Error(await answer.text())
  return new URL(location)
}
