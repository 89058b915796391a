export function boot(root: string, options: { forTests: boolean }): void
export function isStale(root: string): boolean
export function reasonOf(output: string): string
/** A browser on this machine, or the module of the one that npm carries, which unpacks itself. */
export function findChromium(root: string): { path: string } | { carried: string } | undefined
