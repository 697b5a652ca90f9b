/** What one render asks of the function; all renders of a simulation are alike. */
export interface Workload {
  readonly renders: number
  readonly chunks: number
  /** Segments of a chunk, for the requests to S3. */
  readonly segmentsPerChunk: number
  /** Files of the result when it is a folder. */
  readonly resultFiles?: number
  /** Time of each call in an environment that is warm. */
  readonly planSeconds: number
  readonly chunkSeconds: number
  readonly assembleSeconds: number
  /** Time of a new environment until its call begins; it is paid for. */
  readonly coldSeconds: number
  /** How much times vary: 0 not at all; see `varied`. */
  readonly spread: number
  /** Requests that one client makes to start executions in a second. */
  readonly startsPerSecond: number
  /** Renders that their caller lets run at once; left out for all. */
  readonly maxRenders?: number
}
