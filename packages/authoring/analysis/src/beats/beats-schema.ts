import { type DeepReadonly, Nullable, type Static, Type } from '@vid/protocol'

const Seconds = Type.Number({ minimum: 0 })

/** What `vid beats` has heard. */
export const BeatsSchema = Type.Object({
  /** Beats in a minute, on average; null without any. */
  tempo: Nullable(Type.Number({ exclusiveMinimum: 0 })),
  beats: Type.Array(Seconds),
  duration: Seconds,
})
export type SoundBeats = DeepReadonly<Static<typeof BeatsSchema>>
