/** Largest input of a Standard execution of Step Functions, in bytes of UTF-8. */
export const MAX_EXECUTION_INPUT_BYTES = 262_144

/** Default number of frames per chunk. */
export const CHUNK_SIZE = 240

/** Default limit on concurrently running chunks of a render. */
export const MAX_PARALLEL_CHUNKS = 16

/** Maximum number of chunks per render: their results together must fit into the state of an execution. */
export const MAX_CHUNKS = 1000

/** Iterations that an inline Map of Step Functions runs at once; more chunks need a distributed Map. */
export const INLINE_MAP_ITERATIONS = 40

/** Timeout of an invocation on Lambda, in seconds. */
export const FUNCTION_SECONDS = 900

/** Memory of the function in MB: Lambda's maximum, which also gives the most processors. */
export const FUNCTION_MEMORY = 10_240

/** Size of /tmp in MB: Lambda's maximum. */
export const FUNCTION_STORAGE = 10_240

/** Minimum size of /tmp in MB: ffmpeg, the browser and its profile take most of a gigabyte. */
export const LEAST_STORAGE = 1024

/** Size of /tmp in MB that Lambda includes free of charge. */
export const FREE_TEMPORARY_STORAGE = 512

/** Default number of frames per segment. */
export const SEGMENT_FRAMES = 120

/**
 * How calls refused for lack of concurrency are retried: for hours, but rarely enough that the history of an execution,
 * which ends at 25,000 events, does not fill up. An attempt takes 3 events, an inline Map has 40 chunks, and other
 * errors are retried too.
 */
export const REFUSED_CALL_RETRY = {
  intervalSeconds: 2,
  backoffRate: 2,
  maxDelaySeconds: 300,
  maxAttempts: 120,
} as const
