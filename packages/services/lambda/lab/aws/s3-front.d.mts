/** The requests to S3 that a rule chooses, how many of them, and what becomes of them. */
export interface Rule {
  readonly method?: string
  /** Regular expression of the path without its first slash: bucket, slash, key. */
  readonly key?: string
  readonly from?: 'function' | 'client'
  /** So many pass first. */
  readonly skip?: number
  /** 1 unless said otherwise. */
  readonly times?: number
  /** `hold` lets a request wait until there are other rules, which then say what becomes of it. */
  readonly kind: 'status' | 'reset' | 'cut' | 'slow' | 'silence' | 'hold' | 'kill' | 'stall' | 'put'
  readonly status?: number
  readonly code?: string
  readonly bytesPerSecond?: number
  /** Of `put`: what the object is changed into before it is read. */
  readonly body?: string
}
