/** Writes a line to the server's log. */
export type Log = (level: 'info' | 'warn' | 'error', facts: object, text: string) => void
