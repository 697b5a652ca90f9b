import {
  CountSchema,
  ErrorDataSchema,
  IndexSchema,
  RenderIdSchema,
  RenderResultSchema,
  RenderStageSchema,
  WarningSchema,
} from '../parts/event-parts.ts'
import type { DeepReadonly } from '../readonly.ts'
import { type Static, Type } from '../schema.ts'
import { ConsoleMessageSchema } from './console-message.ts'

const RenderStartSchema = Type.Object({
  type: Type.Literal('render-start'),
  renderId: RenderIdSchema,
  outputPath: Type.String(),
})

const RenderQueuedSchema = Type.Object({
  type: Type.Literal('render-queued'),
  renderId: RenderIdSchema,
  /** Requests that the other side renders before this one; 0 for the next. */
  position: CountSchema,
})

const RenderAcceptedSchema = Type.Object({
  type: Type.Literal('render-accepted'),
  renderId: RenderIdSchema,
  /** Id that the other side has given the render. */
  farId: Type.String({ minLength: 1 }),
})

const RenderProgressSchema = Type.Object({
  type: Type.Literal('render-progress'),
  renderId: RenderIdSchema,
  stage: RenderStageSchema,
  /** 0 … 1 over the whole render. */
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  framesRendered: CountSchema,
  totalFrames: CountSchema,
})

const RenderWaitingSchema = Type.Object({
  type: Type.Literal('render-waiting'),
  renderId: RenderIdSchema,
  /** The plugin and the hook that everything else waits for. */
  plugin: Type.String(),
  hook: Type.String(),
  /** Seconds since anything happened in the render. */
  seconds: CountSchema,
})

const SegmentCompleteSchema = Type.Object({
  type: Type.Literal('segment-complete'),
  renderId: RenderIdSchema,
  index: IndexSchema,
  frames: CountSchema,
  /** Why it was reused. */
  reused: Type.Optional(Type.String()),
})

const WarningEventSchema = Type.Object({
  type: Type.Literal('warning'),
  renderId: RenderIdSchema,
  warning: WarningSchema,
})

const ConsoleEventSchema = Type.Object({
  type: Type.Literal('console'),
  renderId: RenderIdSchema,
  ...ConsoleMessageSchema.properties,
})

const RenderCompleteSchema = Type.Object({
  type: Type.Literal('render-complete'),
  renderId: RenderIdSchema,
  ...RenderResultSchema.properties,
})

const RenderErrorSchema = Type.Object({
  type: Type.Literal('render-error'),
  renderId: RenderIdSchema,
  error: ErrorDataSchema,
})

/** What a render reports to its observers: a start, its id on another machine that renders it, its place among others where it has to wait, then progress, segments, warnings and what it waits for while nothing happens, then what its pages wrote to the console, then one end. */
export const RenderEventSchema = Type.Union([
  RenderStartSchema,
  RenderAcceptedSchema,
  RenderQueuedSchema,
  RenderProgressSchema,
  RenderWaitingSchema,
  SegmentCompleteSchema,
  WarningEventSchema,
  ConsoleEventSchema,
  RenderCompleteSchema,
  RenderErrorSchema,
])
export type RenderEvent = DeepReadonly<Static<typeof RenderEventSchema>>

type Draft<E> = E extends RenderEvent ? Omit<E, 'renderId'> : never

/** An event before the render that emits it has added its id. */
export type RenderEventDraft = Draft<RenderEvent>
