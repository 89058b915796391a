import { randomBytes } from 'node:crypto'

interface Stand {
  socialUrl: string
  control<T = unknown>(path: string, body?: object): Promise<T>
}

/** What an account's owner does with audiences on the social platform itself, by the ids that the platform gives. */
export function socialAudiences({ socialUrl, control }: Stand) {
  async function post(account_id: string, path: string, body: object): Promise<string> {
    const { access_token } = await control<{ access_token: string }>('tokens', {
      platform: 'social',
      account_ids: [account_id],
    })
    const query = new URLSearchParams({
      access_token,
      timestamp: String(Math.floor(Date.now() / 1000)),
      nonce: randomBytes(8).toString('hex'),
    })
    const answer = await fetch(`${socialUrl}/v3.0/${path}?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account_id: JSON.rawJSON(account_id), ...body }),
    })
    const text = await answer.text()
    if (!text.startsWith('{"code":0')) throw new Error(`${path}: ${text}`)
    return text
  }
  const set = (audience_id: string, changes: { status?: string; online_status?: 'ONLINE' | 'LOADING' | 'OFFLINE' }) =>
    control('audiences/set', { platform: 'social', audience_id, ...changes })

  return {
    set,
    /** A new audience, which the platform has not computed. */
    async add(account_id: string, name: string): Promise<string> {
      const text = await post(account_id, 'custom_audiences/add', { name, type: 'CUSTOMER_FILE' })
      return /"audience_id":(\d+)/.exec(text)?.[1] ?? ''
    },
    /** One that can be targeted. */
    async usable(account_id: string, name: string): Promise<string> {
      const id = await this.add(account_id, name)
      await set(id, { status: 'SUCCESS', online_status: 'ONLINE' })
      return id
    },
    remove: (account_id: string, audience_id: string) =>
      post(account_id, 'custom_audiences/delete', { audience_id: JSON.rawJSON(audience_id) }),
    /** Lets another account target an audience, or only see it. */
    grant: (account_id: string, audience_id: string, to: string, permission: 'TARGET' | 'INSIGHT' = 'TARGET') =>
      post(account_id, 'audience_grant_relations/add', {
        audience_id_list: [JSON.rawJSON(audience_id)],
        grant_type: 'GRANT_TYPE_BUSINESS',
        grant_spec: {
          grant_to_business_spec: {
            grant_business_id: 7,
            grant_scope_type: 'GRANT_SCOPE_TYPE_ACCOUNT',
            grant_account_permission: [
              {
                account_id: JSON.rawJSON(to),
                grant_permission_type_list: [`GRANT_PERMISSION_TYPE_${permission}`],
              },
            ],
          },
        },
      }),
  }
}
