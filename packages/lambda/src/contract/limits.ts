/** Most bytes (UTF-8) of the input of a Standard execution of Step Functions. */
export const MAX_EXECUTION_INPUT_BYTES = 262_144

/** Frames of a chunk, unless a caller says otherwise. */
export const CHUNK_SIZE = 240

/** Chunks of one render that may run at once, unless a caller says otherwise. */
export const MAX_PARALLEL_CHUNKS = 16

/** Most chunks of one render: their results together must fit into the state of an execution. */
export const MAX_CHUNKS = 1000

/** Most iterations that an inline Map of Step Functions runs at once; more chunks take a distributed Map. */
export const INLINE_MAP_ITERATIONS = 40

/** Seconds after which Lambda ends an invocation. */
export const FUNCTION_SECONDS = 900

/** MB of the function: all the memory, and so all the processors, that Lambda gives. */
export const FUNCTION_MEMORY = 10_240

/** MB of /tmp: all that Lambda gives. */
export const FUNCTION_STORAGE = 10_240

/** Fewest MB of /tmp that work: ffmpeg, the browser and its profile take most of a gigabyte. */
export const LEAST_STORAGE = 1024

/** MB of /tmp that Lambda gives without a charge. */
export const FREE_TEMPORARY_STORAGE = 512

/** Frames of a segment, unless a caller says otherwise. */
export const SEGMENT_FRAMES = 120

/**
 * How a call that Lambda refused for want of concurrency is tried again: for hours, but not so often that the history of
 * an execution is full, which ends at 25,000 events. An attempt is 3 events, an inline Map has 40 chunks, and other
 * errors are tried again too.
 */
export const REFUSED_CALL_RETRY = {
  intervalSeconds: 2,
  backoffRate: 2,
  maxDelaySeconds: 300,
  maxAttempts: 120,
} as const
