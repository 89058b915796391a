/** The start cannot go on; the message is one sentence for whoever typed the command, and the exit code is 1. */
export class StartError extends Error {
  override name = 'StartError'
}
