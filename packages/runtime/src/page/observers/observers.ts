import type { Realm } from '../realm/natives.ts'

/** Observers whose callbacks are called at the end of a frame, instead of when the browser draws one. */
export interface Observers {
  install(realm: Realm): void
  /** Calls those that have something to report; returns whether any had. */
  run(): boolean
  /** Number of observed elements. */
  readonly size: number
}
