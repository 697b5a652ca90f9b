import { CountSchema, type EventsOf, Nullable, Type } from '@vid/protocol'

/** The events of `vid captions transcribe` and `vid captions speak`. */
export const speechEvents = [
  Type.Object({
    type: Type.Literal('captions-transcribe'),
    /** The file that was written, from the current folder. */
    file: Type.String(),
    /** The transcriber. */
    plugin: Type.String(),
    language: Nullable(Type.String()),
    cues: CountSchema,
    /** Words with times. */
    words: CountSchema,
    /** Whether the answer was kept from an earlier call. */
    kept: Type.Boolean(),
  }),
  Type.Object({
    type: Type.Literal('captions-speak'),
    /** The sound and its captions, from the current folder. */
    file: Type.String(),
    captions: Type.String(),
    /** The speaker. */
    plugin: Type.String(),
    seconds: Type.Number({ minimum: 0 }),
    cues: CountSchema,
    /** Whether the times of words are estimated. */
    estimated: Type.Boolean(),
    kept: Type.Boolean(),
  }),
] as const

declare module '@vid/protocol' {
  interface VidEvents extends EventsOf<typeof speechEvents> {}
}
