/** Whether a text from outside is a path of this console: never another site, in any spelling that a browser takes for one. */
export const isOwnPath = (path: string | null): path is string =>
  path !== null && /^\/(?![/\\])/.test(path) && !path.startsWith('/login') && new URL(path, 'http://own').host === 'own'
