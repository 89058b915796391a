import type { TargetingPackage } from '../targeting-package.ts'

/**
 * Whether a job will soon change how the package stands. One that waits for an authorisation, perhaps for days, does
 * not count.
 */
export const isSyncing = ({ mirror }: Pick<TargetingPackage, 'mirror'>): boolean => mirror === 'waiting'
