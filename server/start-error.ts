/** The start cannot continue. The message is one sentence for the person who typed the command; the exit code is 1. */
export class StartError extends Error {
  override name = 'StartError'
}
