/** What an authorisation gave: kept encrypted, all of it, and handed back as it is. */
export interface Tokens {
  access_token: string
  refresh_token: string
  /** Epoch seconds. */
  expires_at: number
  refresh_expires_at: number
  /** As the platform spelled them; null where only `accounts` can tell. */
  scope_list: string[] | null
  /** The platform's own id of the account that authorised, where the token call names it; 64-bit text. */
  authorizer_id: string | null
  /** What the authorised login is, in the platform's words: an advertiser, an agency, a business manager. */
  authorizer_role: string | null
}

/** An account that the authorisation opened. */
export interface AuthorisedAccount {
  /** The platform's own id of it: text, 64-bit. */
  external_id: string
  name: string
  /** In the console's words: `all`, or the scopes by name. Empty: nothing may be done with it. */
  scope_list: string[]
}

/** A platform's authorisation, from its page to its tokens. All calls throw PlatformFault. */
export interface OAuthClient {
  /** The platform's page, for the viewer's browser. */
  authoriseUrl(ask: { state: string; redirect_uri: string }): Promise<string>
  /** Fault 'unauthorised' when the code was used, is too old or is none: the authorisation must start again. */
  exchange(code: string, redirect_uri: string, signal?: AbortSignal): Promise<Tokens>
  /**
   * A new pair; store it before it is used. The video engine kills the old pair with it: one refresh at a time per login.
   * Fault 'unauthorised' when only a person can help.
   */
  refresh(tokens: Tokens, signal?: AbortSignal): Promise<Tokens>
  /**
   * Whose tokens they are: two authorisations with one `external_id` are one family of tokens. Social: the authorising
   * account; video: the login (user/info).
   */
  login(tokens: Tokens, signal?: AbortSignal): Promise<{ external_id: string; name: string }>
  /** Every account that the login may act for. */
  accounts(tokens: Tokens, signal?: AbortSignal): Promise<AuthorisedAccount[]>
}
