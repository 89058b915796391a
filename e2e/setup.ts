import { buildWeb } from './server.ts'

/** The pages are built once, before servers start side by side. While a journey is being written WEB_BUILD=0 leaves them. */
export default async function setup() {
  if (!process.env.E2E_URL && process.env.WEB_BUILD !== '0') await buildWeb()
}
