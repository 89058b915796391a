/** Sends an event of the visitor. */
export type Track = (event: string, properties: Record<string, unknown>) => void
