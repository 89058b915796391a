import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const SERVER = process.env.RENQUN_SERVER ?? 'http://127.0.0.1:3000'
const SERVED = ['/api', '/v1', '/files', '/healthz', '/readyz', '/metrics']

export default defineConfig({
  root: new URL('./web', import.meta.url).pathname,
  cacheDir: '../node_modules/.vite',
  plugins: [react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Pages are imported lazily by the router, so a chunk per route comes by itself; what all need is cut by how often it changes.
    chunkSizeWarningLimit: 900,
  },
  server: { proxy: Object.fromEntries(SERVED.map((path) => [path, { target: SERVER }])) },
})
