import type { Plugin } from 'vite'

/**
 * Has the browser fetch and compile the code of the lists beside that of the shell: the shell is drawn once the page's own
 * code is there, and most visits begin with a list.
 */
export const earlyLists = (): Plugin => ({
  name: 'early-lists',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const lists = Object.values(bundle).find((one) => one.type === 'chunk' && one.name === 'lists')
      if (!lists) throw new Error('the build has no chunk of the lists')
      const attrs = { rel: 'modulepreload', crossorigin: true, href: `/${lists.fileName}` }
      return [{ tag: 'link', attrs, injectTo: 'head' }]
    },
  },
})
