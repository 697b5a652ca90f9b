import type { App } from '@vid/server'
import type { CloudMetrics } from '../metrics.ts'
import type { UploadParts } from '../projects/uploads.ts'
import type { PlayAddress } from '../publish/play-address.ts'
import type { SubmitParts } from '../renders/submit.ts'
import type { RateLimits } from '../requests/rate-limits.ts'
import type { OfferedFiles } from '../storage/open-storage.ts'
import type { StreamAddresses } from '../streams/stream-address.ts'

/** Dependencies of the API's routes. */
export interface CloudParts extends SubmitParts, UploadParts {
  readonly app: App
  /** Absolute state folder of this process. */
  readonly state: string
  /** Address of the server for clients, without a slash at the end; known once the server listens. */
  readonly publicUrl: () => string
  /** Where the compositions of pages are played. */
  readonly play: PlayAddress
  /** Undefined if the storage serves its files itself. */
  readonly files: OfferedFiles | undefined
  /** Addresses of videos that are played while they are rendered. */
  readonly streams: StreamAddresses
  readonly metrics: CloudMetrics
  readonly rates: RateLimits
  /** The part of this process's worker that does not work. */
  readonly workerProblem: () => string | undefined
  /** Aborts when the server begins to stop. */
  readonly stopping: AbortSignal
}
