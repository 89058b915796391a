/** Whether a text from a URL is a path of this console and not another site in any spelling that browsers accept. */
export const isOwnPath = (path: string | null): path is string =>
  path !== null && /^\/(?![/\\])/.test(path) && !path.startsWith('/login') && new URL(path, 'http://own').host === 'own'
