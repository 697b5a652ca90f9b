/** A Postgres that runs or can be started. */
export interface Postgres {
  /** Address of its administrator. */
  readonly url: string
  start(): Promise<void>
  /** Ends it as a crash would. */
  kill(): Promise<void>
  /** Ends it, and removes its files. */
  close(): Promise<void>
}

/** Whether a Postgres is there to be started: as root, with the user that it runs as. */
export const hasPostgres: boolean

/** Makes a Postgres in a folder of its own, and starts it unless `isStarted` is false. */
export function startPostgres(options?: { readonly isStarted?: boolean }): Promise<Postgres>
