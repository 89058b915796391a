/** The tokens of an authorisation. Stored encrypted as a whole, and passed back unchanged. */
export interface Tokens {
  access_token: string
  refresh_token: string
  /** Epoch seconds. */
  expires_at: number
  refresh_expires_at: number
  /** The scopes in the platform's spelling; null if only `accounts` can tell them. */
  scope_list: string[] | null
  /** The platform's own id for the authorising account, if the token call names it; 64 bits, as text. */
  authorizer_id: string | null
  /** The login's role in the platform's words: an advertiser, an agency, a business manager. */
  authorizer_role: string | null
}

/** An account that an authorisation covers. */
export interface AuthorisedAccount {
  /** The platform's own id for it: 64 bits, as text. */
  external_id: string
  name: string
  /** In the console's terms: `all`, or the names of scopes. Empty: the account can be used for nothing. */
  scope_list: string[]
}

/** A platform's authorisation, from its page to its tokens. All calls throw PlatformFault. */
export interface OAuthClient {
  /** The address of the platform's consent page. */
  authoriseUrl(ask: { state: string; redirect_uri: string }): Promise<string>
  /** Fault 'unauthorised' if the code was used, has expired or is invalid: the authorisation must start again. */
  exchange(code: string, redirect_uri: string, signal?: AbortSignal): Promise<Tokens>
  /**
   * Returns a new pair of tokens; store it before using it. The video engine invalidates the old pair with it, so only one
   * refresh may run per login. Fault 'unauthorised' if only a person can help.
   */
  refresh(tokens: Tokens, signal?: AbortSignal): Promise<Tokens>
  /**
   * The owner of the tokens; authorisations with the same `external_id` share one family of tokens. Social: the
   * authorising account; video: the login (user/info).
   */
  login(tokens: Tokens, signal?: AbortSignal): Promise<{ external_id: string; name: string }>
  /** All accounts that the login may act for. */
  accounts(tokens: Tokens, signal?: AbortSignal): Promise<AuthorisedAccount[]>
}
