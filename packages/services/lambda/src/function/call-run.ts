import type { Warning } from '@vid/protocol'
import type { Renderer } from '@vid/render'
import type { S3Bucket } from '@vid/s3'
import type { FunctionCall } from '../contract/call-records.ts'
import type { FunctionEnvironment } from './environment.ts'
import type { SiteCache } from './site-cache.ts'

/** Counts of a call so far. */
export interface Tally {
  frames: number
  reusedFrames: number
  /** Number of chunks of the render, once it is planned. */
  chunks?: number
}

/** The context of an action during one call. */
export interface CallRun {
  readonly call: FunctionCall
  /** Its requests are aborted when the call ends. */
  readonly place: S3Bucket
  readonly signal: AbortSignal
  /** When Lambda ends the call, in milliseconds since 1970. */
  readonly endsMs: number
  /** Absolute path of this call's own folder. */
  readonly workDir: string
  readonly environment: FunctionEnvironment
  readonly sites: SiteCache
  /** Opened on first use; it may have served earlier calls. */
  renderer(): Promise<Renderer>
  readonly tally: Tally
}

/** A warning in the form of a record. */
export const plainWarning = ({ code, message, hint, severity, plugin }: Warning) => ({
  code,
  message,
  ...(hint !== undefined && { hint }),
  ...(severity !== undefined && { severity }),
  ...(plugin !== undefined && { plugin }),
})
