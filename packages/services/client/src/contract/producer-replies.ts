import {
  CountSchema,
  type DeepReadonly,
  MillisecondsSchema,
  Nullable,
  RenderStageSchema,
  ReplyErrorSchema,
  RequestIdSchema,
  type Static,
  Type,
  WarningSchema,
} from '@vid/protocol'
import { Sha256Schema } from './producer-request.ts'

/** A file that can be fetched from the server until its token expires. */
const OutputFacts = {
  /** What opens it at `/outputs/{token}`; null when the deliveries of the server left no file on it. */
  outputToken: Nullable(Type.String()),
  /** Path and token, from the root of the server. */
  outputUrl: Nullable(Type.String()),
  /** When the token expires: ISO 8601. */
  expiresAt: Nullable(Type.String()),
  fileSize: CountSchema,
  /** SHA-256 of the file. */
  digest: Nullable(Sha256Schema),
}

/** A finished render, as `POST /render`, the event `complete` and `GET /render/{requestId}` tell it. */
export const ProducerResultSchema = Type.Object({
  success: Type.Literal(true),
  requestId: RequestIdSchema,
  /** Name of the file, or its path as the request gave it. */
  outputPath: Type.String(),
  ...OutputFacts,
  /** MIME type; a zip holds several outputs, or a sequence of images. */
  contentType: Type.String(),
  /** Paths of the results in the zip, `.` when all of it is one; empty when the file is itself the result. */
  files: Type.Array(Type.String()),
  /** Time from the start of the render to its end, without its waiting. */
  durationMs: MillisecondsSchema,
  videoDurationSeconds: Type.Number({ minimum: 0 }),
  frames: CountSchema,
  warnings: Type.Array(WarningSchema),
})
export type ProducerResult = DeepReadonly<Static<typeof ProducerResultSchema>>

/** The stills of `POST /snapshot`. */
export const ProducerStillsSchema = Type.Object({
  success: Type.Literal(true),
  requestId: RequestIdSchema,
  /** Pixels. */
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  /** In the order of the request. */
  snapshots: Type.Array(
    Type.Object({ frame: CountSchema, /** Seconds. */ time: Type.Number({ minimum: 0 }), ...OutputFacts }),
  ),
  warnings: Type.Array(WarningSchema),
})
export type ProducerStills = DeepReadonly<Static<typeof ProducerStillsSchema>>

/** Reply of `GET /render/queue`. */
export const ProducerQueueSchema = Type.Object({
  maxConcurrentRenders: Type.Integer({ minimum: 1 }),
  activeRenders: CountSchema,
  queuedRenders: CountSchema,
})
export type ProducerQueue = DeepReadonly<Static<typeof ProducerQueueSchema>>

/** How far a render is. */
export const ProducerProgressSchema = Type.Object({
  stage: RenderStageSchema,
  /** 0 … 1 over the whole render. */
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  framesRendered: CountSchema,
  totalFrames: CountSchema,
})
export type ProducerProgress = DeepReadonly<Static<typeof ProducerProgressSchema>>

/** Where a video can be played while it is rendered; absent for formats that are not played so. */
export const PlaylistUrlSchema = Type.Optional(
  Type.String({
    description:
      'where players open the video while it is rendered, once its first segment is finished: path and token, from the root of the server',
  }),
)

/** The states of a request; the last three are final. */
export const ProducerStatusSchema = Type.Union([
  Type.Literal('queued'),
  Type.Literal('running'),
  Type.Literal('completed'),
  Type.Literal('failed'),
  Type.Literal('cancelled'),
])
export type ProducerStatus = Static<typeof ProducerStatusSchema>

/** Reply of `GET /render/{requestId}`, and of a request that is not waited for. */
export const ProducerRecordSchema = Type.Object({
  success: Type.Literal(true),
  requestId: RequestIdSchema,
  status: ProducerStatusSchema,
  /** Number of requests ahead, while it waits. */
  position: Type.Optional(CountSchema),
  progress: Type.Optional(ProducerProgressSchema),
  playlistUrl: PlaylistUrlSchema,
  /** ISO 8601. */
  acceptedAt: Type.String(),
  startedAt: Type.Optional(Type.String()),
  endedAt: Type.Optional(Type.String()),
  result: Type.Optional(Type.Union([ProducerResultSchema, ProducerStillsSchema])),
  error: Type.Optional(ReplyErrorSchema),
})
export type ProducerRecord = DeepReadonly<Static<typeof ProducerRecordSchema>>

/** Reply of `PUT /projects/{digest}`. */
export const ProducerProjectSchema = Type.Object({
  success: Type.Literal(true),
  requestId: RequestIdSchema,
  project: Sha256Schema,
  files: CountSchema,
  bytes: CountSchema,
})
export type ProducerProject = DeepReadonly<Static<typeof ProducerProjectSchema>>
