/** The kind of job that runs an import, of a file or of tracked messages. */
export const RUN = 'import.run'

/** Undoing an import is the same kind of job, so that it waits its turn among the advertiser's imports. */
export interface ImportJob {
  id: number
  undo?: true
}
