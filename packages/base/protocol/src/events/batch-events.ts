import {
  CountSchema,
  ErrorDataSchema,
  IndexSchema,
  MillisecondsSchema,
  RemoteCostSchema,
  RenderIdSchema,
  RenderStageSchema,
} from '../parts/event-parts.ts'
import { Nullable } from '../parts/nullable.ts'
import { Type } from '../schema.ts'

const Row = {
  /** Place of the row in the batch file, counted from 0. */
  index: IndexSchema,
  /** The render of this row. */
  renderId: RenderIdSchema,
}

/** What a batch reports about its rows and its end. */
export const batchEventSchemas = [
  /** Each mistake in the rows once, before the first is rendered or all are refused. */
  Type.Object({
    type: Type.Literal('batch-problems'),
    problems: Type.Array(
      Type.Object({
        code: Type.String(),
        message: Type.String(),
        /** All rows that have it, as messages count them; none for one of the whole list. */
        rows: Type.Array(IndexSchema),
        column: Type.Optional(Type.String()),
        variable: Type.Optional(Type.String()),
      }),
    ),
  }),
  Type.Object({ type: Type.Literal('batch-row-start'), ...Row, outputPath: Type.String() }),
  Type.Object({
    type: Type.Literal('batch-row-progress'),
    ...Row,
    stage: RenderStageSchema,
    /** 0 … 1 over the whole row. */
    progress: Type.Number({ minimum: 0, maximum: 1 }),
  }),
  Type.Object({
    type: Type.Literal('batch-row-complete'),
    ...Row,
    outputPath: Type.String(),
    /** Length of the video. */
    durationMs: MillisecondsSchema,
    renderTimeMs: MillisecondsSchema,
    segments: Type.Object({ total: CountSchema, reused: CountSchema }),
    /** What the machines of another side have cost, where that is known. */
    cost: Type.Optional(RemoteCostSchema),
  }),
  Type.Object({
    type: Type.Literal('batch-row-error'),
    ...Row,
    outputPath: Type.String(),
    error: ErrorDataSchema,
  }),
  /** A row that was interrupted. */
  Type.Object({ type: Type.Literal('batch-row-cancelled'), ...Row, outputPath: Type.String() }),
  /** A row whose files an earlier run has made, and which has not changed since. */
  Type.Object({
    type: Type.Literal('batch-row-unchanged'),
    index: IndexSchema,
    outputPath: Type.String(),
    durationMs: MillisecondsSchema,
  }),
  Type.Object({
    type: Type.Literal('batch-complete'),
    manifestPath: Type.String(),
    total: CountSchema,
    completed: CountSchema,
    failed: CountSchema,
    skipped: CountSchema,
    /** Rows that were interrupted. */
    cancelled: CountSchema,
    /** Those of the completed that were not rendered again. */
    unchanged: CountSchema,
    /** Of the rows of this run. */
    cost: Type.Optional(RemoteCostSchema),
  }),
  /** How a render of several shapes has ended, in their order. */
  Type.Object({
    type: Type.Literal('shapes-complete'),
    total: CountSchema,
    completed: CountSchema,
    failed: CountSchema,
    skipped: CountSchema,
    results: Type.Array(
      Type.Object({
        shape: Type.String(),
        status: Type.Union([Type.Literal('completed'), Type.Literal('failed'), Type.Literal('skipped')]),
        outputPath: Type.String(),
        durationMs: Nullable(MillisecondsSchema),
        renderTimeMs: Nullable(MillisecondsSchema),
        error: Nullable(Type.Object({ code: Type.String(), message: Type.String(), hint: Type.String() })),
      }),
    ),
  }),
] as const
