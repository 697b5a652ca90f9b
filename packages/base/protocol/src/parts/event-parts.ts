import type { DeepReadonly } from '../readonly.ts'
import { type Static, Type } from '../schema.ts'

/** Identifies one render in every event that it emits. */
export const RenderIdSchema = Type.String({ minLength: 1 })

/** Counted from 0. */
export const IndexSchema = Type.Integer({ minimum: 0 })

/** A count, or bytes. */
export const CountSchema = Type.Integer({ minimum: 0 })

export const MillisecondsSchema = Type.Number({ minimum: 0 })

/** A problem that does not stop the render. */
export const WarningSchema = Type.Object({
  code: Type.String(),
  message: Type.String(),
  hint: Type.Optional(Type.String()),
  /** Set where the result lacks or misrepresents a part of the composition; --strict refuses it. */
  severity: Type.Optional(Type.Literal('error')),
  plugin: Type.Optional(Type.String()),
})
export type Warning = DeepReadonly<Static<typeof WarningSchema>>

/** Time that one plugin spent in one hook. */
export const TimingSchema = Type.Object({
  plugin: Type.String(),
  hook: Type.String(),
  calls: CountSchema,
  /** May be a little below 0 for a plugin that only waited. */
  ms: Type.Number(),
})
export type Timing = DeepReadonly<Static<typeof TimingSchema>>

/** An error as JSON carries it: see `VidError`. */
export const ErrorDataSchema = Type.Object({
  code: Type.String(),
  message: Type.String(),
  hint: Type.String(),
  fault: Type.Union([Type.Literal('caller'), Type.Literal('render'), Type.Literal('machine')]),
  plugin: Type.Optional(Type.String()),
  hook: Type.Optional(Type.String()),
})

/** The event of a command that ended without a result, and was no render. */
export const errorEvent = <const T extends string>(type: T) =>
  Type.Object({ type: Type.Literal(type), error: ErrorDataSchema })

/** What a render is doing. */
export const RenderStageSchema = Type.Union([
  Type.Literal('plan'),
  Type.Literal('render'),
  Type.Literal('join'),
  Type.Literal('deliver'),
])
export type RenderStage = Static<typeof RenderStageSchema>

/** Where a delivery has put a file, beside its output path. */
export const DeliveredSchema = Type.Object({
  plugin: Type.String(),
  /** For people and programs, such as `s3://bucket/key`. */
  address: Type.String(),
})
export type Delivered = DeepReadonly<Static<typeof DeliveredSchema>>

const OutputFacts = {
  outputPath: Type.String(),
  fileSize: CountSchema,
  delivered: Type.Optional(Type.Array(DeliveredSchema)),
}

/** What a render has cost that ran on machines which are paid by the use, in US dollars. */
export const RemoteCostSchema = Type.Object({
  usd: Type.Number({ minimum: 0 }),
  /** Whether it may be less, since the most was counted where a time is not known. */
  isUpperBound: Type.Optional(Type.Boolean()),
})
export type RemoteCost = DeepReadonly<Static<typeof RemoteCostSchema>>

/** A finished render. */
export const RenderResultSchema = Type.Object({
  ...OutputFacts,
  /** Length of the video. */
  durationMs: MillisecondsSchema,
  renderTimeMs: MillisecondsSchema,
  frames: CountSchema,
  warnings: Type.Array(WarningSchema),
  /** Time spent in each plugin, by hook. */
  timings: Type.Optional(Type.Array(TimingSchema)),
  /** What the machines of the other side have cost. */
  cost: Type.Optional(RemoteCostSchema),
  /** The further files of a render with several outputs. */
  outputs: Type.Optional(Type.Array(Type.Object(OutputFacts))),
})
export type RenderResult = DeepReadonly<Static<typeof RenderResultSchema>>

/** What was looked at: as an open preview has it staged; left out for the files. */
export const StateSchema = Type.Optional(Type.Literal('staged'))
