import { CountSchema, type EventsOf, Nullable, Type } from '@vid/protocol'

/** The events of `vid captions import`. */
export const captionEvents = [
  Type.Object({
    type: Type.Literal('captions-import'),
    /** The file that was written, from the current folder. */
    file: Type.String(),
    /** The format that was read. */
    format: Type.String(),
    language: Nullable(Type.String()),
    cues: CountSchema,
    /** Words with times. */
    words: CountSchema,
    speakers: Type.Array(Type.String()),
    /** Seconds at which the last cue ends. */
    end: Type.Number({ minimum: 0 }),
  }),
] as const

declare module '@vid/protocol' {
  interface VidEvents extends EventsOf<typeof captionEvents> {}
}
