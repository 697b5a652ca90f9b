import type { Warning } from '@vid/kernel'
import type { Renderer } from '@vid/render'
import type { S3Bucket } from '@vid/s3'
import type { Call } from '../contract/call-records.ts'
import type { FunctionEnvironment } from './environment.ts'
import type { SiteCache } from './site-cache.ts'

/** What a call has done so far. */
export interface Tally {
  frames: number
  reusedFrames: number
  /** Of the render, once it is planned. */
  chunks?: number
}

/** What an action of the function works with during one call. */
export interface CallRun {
  readonly call: Call
  /** Its requests end with the call. */
  readonly place: S3Bucket
  readonly signal: AbortSignal
  /** When Lambda ends the call, in milliseconds since 1970. */
  readonly endsMs: number
  /** Absolute folder of this call alone. */
  readonly workDir: string
  readonly environment: FunctionEnvironment
  readonly sites: SiteCache
  /** Made when it is first asked for; it may have served calls before. */
  renderer(): Promise<Renderer>
  readonly tally: Tally
}

/** A warning as records carry it. */
export const plainWarning = ({ code, message, hint, severity, plugin }: Warning) => ({
  code,
  message,
  ...(hint !== undefined && { hint }),
  ...(severity !== undefined && { severity }),
  ...(plugin !== undefined && { plugin }),
})
