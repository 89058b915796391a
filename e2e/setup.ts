import { buildWeb } from './server.ts'

/** Builds the pages once, before the servers start. WEB_BUILD=0 skips this while a test is being written. */
export default async function setup() {
  if (!process.env.E2E_URL && process.env.WEB_BUILD !== '0') await buildWeb()
}
