import { type Static, Type } from '@vid/protocol'
import { ObjectReferenceSchema, RENDER_ID } from './execution-input.ts'

/** Fields of every call after the first one. */
const Common = {
  renderId: Type.String({ pattern: RENDER_ID }),
  /** The input of the execution, as stored by the first call. */
  request: ObjectReferenceSchema,
  plan: ObjectReferenceSchema,
}

const PartSchema = Type.Object({
  action: Type.Union([Type.Literal('segment'), Type.Literal('publish')]),
  chunk: Type.Integer({ minimum: 0 }),
})

/** The result of planning: the state of the execution from then on. */
export const PlannedSchema = Type.Object({
  ...Common,
  frames: Type.Integer({ minimum: 1 }),
  /** Numbers of the chunks. */
  chunks: Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1 }),
  /** The calls that follow side by side: one for each chunk, and perhaps one that publishes them. */
  parts: Type.Array(PartSchema, { minItems: 1 }),
  /** Whether these are more calls than an inline Map runs at once. */
  isWide: Type.Boolean(),
})
export type Planned = Static<typeof PlannedSchema>

/** Renders one chunk: a run of segments of the plan. */
export const SegmentEventSchema = Type.Object(
  {
    action: Type.Literal('segment'),
    ...Common,
    chunks: Type.Integer({ minimum: 1 }),
    chunk: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
)
export type SegmentEvent = Static<typeof SegmentEventSchema>

/** Publishes the segments of all chunks in order, as they are finished. */
export const PublishEventSchema = Type.Object(
  {
    action: Type.Literal('publish'),
    ...Common,
    chunks: Type.Integer({ minimum: 1 }),
    chunk: Type.Literal(0),
  },
  { additionalProperties: false },
)
export type PublishEvent = Static<typeof PublishEventSchema>

/** The result of publishing. */
export const PublishResultSchema = Type.Object(
  {
    /** Number of segments of the plan that players see. */
    published: Type.Integer({ minimum: 0 }),
    /** Why they see no more. */
    problem: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
export type PublishResult = Static<typeof PublishResultSchema>

/** The result of a chunk: a reference to its record, so that a thousand results fit into the state. */
export const ChunkResultSchema = Type.Object(
  { chunk: Type.Integer({ minimum: 0 }), sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) },
  { additionalProperties: false },
)
export type ChunkResult = Static<typeof ChunkResultSchema>

/** Joins the segments of all chunks, and stores the result under its key. */
export const AssembleEventSchema = Type.Object(
  {
    action: Type.Literal('assemble'),
    ...Common,
    results: Type.Array(Type.Union([ChunkResultSchema, PublishResultSchema]), { minItems: 1 }),
  },
  { additionalProperties: false },
)
export type AssembleEvent = Static<typeof AssembleEventSchema>

/** Marks a render as failed, and removes its work objects. */
export const AbandonEventSchema = Type.Object(
  {
    action: Type.Literal('abandon'),
    renderId: Type.String({ pattern: RENDER_ID }),
    error: Type.Object({ Error: Type.Optional(Type.String()), Cause: Type.Optional(Type.String()) }),
  },
  { additionalProperties: false },
)
export type AbandonEvent = Static<typeof AbandonEventSchema>

/** The result of a render: the output of its execution, and `result` in the object `result.json`, beside `warnings`. */
export const LambdaResultSchema = Type.Object({
  renderId: Type.String({ pattern: RENDER_ID }),
  outputKey: Type.String(),
  /** Size of the file, or of all files of a folder together. */
  bytes: Type.Integer({ minimum: 0 }),
  /** SHA-256 of the file, or of the lines that `sha256sum *` prints in a folder. */
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  frames: Type.Integer({ minimum: 1 }),
  durationMs: Type.Number({ minimum: 0 }),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  /** Number of files if the output is a folder: `outputKey` is then their prefix. */
  files: Type.Optional(Type.Integer({ minimum: 1 })),
  /** The poster beside the output; one in an output that is a folder is one of its files. */
  poster: Type.Optional(
    Type.Object({
      key: Type.String(),
      bytes: Type.Integer({ minimum: 1 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
  ),
  /** Number of warnings; `result.json` contains them. */
  warnings: Type.Integer({ minimum: 0 }),
})
export type LambdaResult = Static<typeof LambdaResultSchema>
