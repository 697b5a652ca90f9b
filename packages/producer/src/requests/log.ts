/** Writes a line to the log of the server. */
export type Log = (level: 'info' | 'warn' | 'error', facts: object, text: string) => void
