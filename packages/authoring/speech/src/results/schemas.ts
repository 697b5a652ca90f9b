import { Type } from '@vid/protocol'

/** Who has made a kept result. */
export const MakerSchema = Type.Object({
  plugin: Type.String(),
  code: Type.String(),
  options: Type.Unknown(),
  build: Type.String(),
})

/** A kept word with its time. */
export const WordSchema = Type.Object({ text: Type.String(), start: Type.Number(), end: Type.Number() })

/** A kept cue. */
export const CueSchema = Type.Object({
  ...WordSchema.properties,
  words: Type.Optional(Type.Array(WordSchema)),
  speaker: Type.Optional(Type.String()),
  id: Type.Optional(Type.String()),
  settings: Type.Optional(Type.String()),
})
