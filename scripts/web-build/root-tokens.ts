import type { Plugin } from 'vite'

const MODULE = /\/node_modules\/@ant-design\/cssinjs\/es\/hooks\/useCacheToken\.js$/
const CALL = 'transformToken(mergedDerivativeToken, cssVar.key, {'
const AFTER = 'return [tokenWithCssVar, hashCls, actualToken, cssVarsStr, cssVar.key]'

/**
 * Declares antd's global variables once, at the root of the page. antd declares all 500 on every button, box and cell, and
 * the browser computes them there at each change of style, which took half the time of a click on a row's box. The page
 * has one theme, so they are the same everywhere.
 */
export function rootTokens(): Plugin {
  let isFound = false
  return {
    name: 'root-tokens',
    apply: 'build',
    transform(code, id) {
      if (!MODULE.test(id)) return null
      if (!code.includes(CALL) || !code.includes(AFTER))
        this.error('antd declares its variables in another way than before')
      isFound = true
      const atRoot = AFTER.replace('cssVarsStr', `cssVarsStr.replace('.' + cssVar.key + '{', ':root{')`)
      return { code: code.replace(AFTER, atRoot), map: null }
    },
    generateBundle() {
      if (!isFound) this.error('antd declares its variables in another module than before')
    },
  }
}
