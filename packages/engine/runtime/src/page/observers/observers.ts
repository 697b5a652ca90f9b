import type { Realm } from '../realm/natives.ts'

/** Observers whose callbacks are called at the end of a frame, instead of when the browser draws one. */
export interface Observers {
  install(realm: Realm): void
  /** Calls the observers with pending entries; returns whether there were any. */
  run(): boolean
  /** Number of observed elements. */
  readonly size: number
}
