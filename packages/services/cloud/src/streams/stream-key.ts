/** Prefix of the files of all videos of a render that are played while it runs. */
export const streamsPrefix = (renderId: string): string => `streams/${renderId}/`

/** Prefix of the files of one attempt's video. */
export const streamPrefix = ({ renderId, attempt }: StreamId): string => `${streamsPrefix(renderId)}${attempt}/`

/** The video of one attempt of a render. */
export interface StreamId {
  readonly renderId: string
  readonly attempt: number
}
