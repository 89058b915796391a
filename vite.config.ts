import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { earlyLists } from './scripts/web-build/early-lists.ts'
import { lateParts } from './scripts/web-build/late-parts.ts'
import { leanContract } from './scripts/web-build/lean-contract.ts'
import { rootTokens } from './scripts/web-build/root-tokens.ts'
import { staticStyles } from './scripts/web-build/static-styles.ts'
import { tabWords } from './scripts/web-build/tab-words.ts'

const SERVER = process.env.RENQUN_SERVER ?? 'http://127.0.0.1:3000'
const SERVED = ['/api', '/v1', '/files', '/healthz', '/readyz', '/metrics']

export default defineConfig({
  root: new URL('./web', import.meta.url).pathname,
  cacheDir: '../node_modules/.vite',
  resolve: {
    alias: [
      { find: '@emotion/hash', replacement: new URL('./web/antd/hash.ts', import.meta.url).pathname },
      // antd's components bring English words of their own; the console gives them Chinese ones.
      { find: /\/en_US$/, replacement: '/zh_CN' },
    ],
  },
  plugins: [lateParts(), leanContract(), staticStyles(), rootTokens(), tabWords(), earlyLists(), react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    chunkSizeWarningLimit: 1100,
    rolldownOptions: {
      // These packages of antd do nothing when they are loaded, though their package.json does not say so.
      treeshake: { moduleSideEffects: [{ test: /node_modules\/@rc-component\//, sideEffects: false }] },
      output: {
        codeSplitting: {
          groups: [
            // What every page needs is one file; the router imports each page when it is opened.
            { name: 'shell', tags: ['$initial'], priority: 5 },
            // What the lists of crowds and most other pages stand on; its modules' own imports come with it.
            {
              name: 'lists',
              test: /\/web\/(pages\/cowd-assets\/CowdAssetsPage|components\/(PageHeader|LinkButton|table-parts|LargeNumber|CopyIcon|StatusDot|later)|domain\/(crowd\/(CrowdList|filters|crowd-columns|deletion|DeletedButton)|platform\/PlatformMark)|features\/(folder\/FolderView|audience\/PushChips|advertiser\/AdvertiserGate))\./,
              priority: 4,
            },
            // The sign-in page needs these, and not what is fetched after the first page.
            { name: 'input', test: /\/(antd\/es|@rc-component)\/input\//, priority: 3 },
            // Fetched after the first page, in few requests: what belongs to the frame, and what to the lists.
            {
              name: 'frame-later',
              test: /\/web\/features\/(advertiser\/AdvertiserSwitch|task\/TaskTray|viewer\/ViewerMenu)\.|\/antd\/es\/(message\/useMessage|notification\/useNotification|modal\/ConfirmDialog)\./,
              priority: 2,
            },
            {
              name: 'lists-later',
              test: /\/web\/(components\/DateRangePicker|domain\/(crowd\/filter-fields|outcome\/Sentence)|features\/(folder\/FolderTree|rule-crowd\/RuleCrowdQuota))\.|\/antd\/es\/(tabs|pagination)\/index\./,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: { proxy: Object.fromEntries(SERVED.map((path) => [path, { target: SERVER }])) },
})
