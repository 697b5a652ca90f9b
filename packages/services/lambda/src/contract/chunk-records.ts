import { type Static, Type, WarningSchema } from '@vid/protocol'
import { RENDER_ID } from './execution-input.ts'

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** A finished segment in the bucket. */
export const KeptSegmentSchema = Type.Object(
  {
    index: Type.Integer({ minimum: 0 }),
    frames: Type.Integer({ minimum: 1 }),
    /** Size of its object. */
    bytes: Type.Integer({ minimum: 0 }),
    sha256: Digest,
    /** Digest of the manifest if the segment is a folder; its object is then a zip. */
    folder: Type.Optional(Digest),
  },
  { additionalProperties: false },
)
export type KeptSegment = Static<typeof KeptSegmentSchema>

/** The outcome of a chunk: the object `chunks/<n>-<sha16>.json`. */
export const ChunkRecordSchema = Type.Object({
  renderId: Type.String({ pattern: RENDER_ID }),
  /** SHA-256 of the plan that the chunk belongs to. */
  plan: Digest,
  chunk: Type.Integer({ minimum: 0 }),
  segments: Type.Array(KeptSegmentSchema, { minItems: 1 }),
  warnings: Type.Array(WarningSchema),
})
export type ChunkRecord = Static<typeof ChunkRecordSchema>

/** The outcome of planning: the object `plan.json`. */
export const PlanRecordSchema = Type.Object({
  renderId: Type.String({ pattern: RENDER_ID }),
  /** SHA-256 of the request that was planned. */
  request: Digest,
  /** Validated by the kernel. */
  plan: Type.Unknown(),
  warnings: Type.Array(WarningSchema),
})
