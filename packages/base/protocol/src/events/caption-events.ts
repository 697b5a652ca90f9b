import { CountSchema } from '../parts/event-parts.ts'
import { Type } from '../schema.ts'

/** The events of `vid captions`. */
export const captionEventSchemas = [
  Type.Object({
    type: Type.Literal('captions-import'),
    /** The file that was written, from the current folder. */
    file: Type.String(),
    /** The format that was read. */
    format: Type.String(),
    language: Type.Union([Type.String(), Type.Null()]),
    cues: CountSchema,
    /** Words with times. */
    words: CountSchema,
    speakers: Type.Array(Type.String()),
    /** Seconds at which the last cue ends. */
    end: Type.Number({ minimum: 0 }),
  }),
  Type.Object({
    type: Type.Literal('captions-transcribe'),
    /** The file that was written, from the current folder. */
    file: Type.String(),
    /** The transcriber. */
    plugin: Type.String(),
    language: Type.Union([Type.String(), Type.Null()]),
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
