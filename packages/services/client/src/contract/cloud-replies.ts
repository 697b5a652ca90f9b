import { CountSchema, type DeepReadonly, Nullable, type Static, type TSchema, Type, WarningSchema } from '@vid/protocol'
import {
  CloudAssetIdSchema,
  type CloudCodec,
  CloudPublicationIdSchema,
  CloudRenderIdSchema,
  CloudRenderSchema,
  cloudAspectRatios,
  cloudCodecs,
} from './cloud-render.ts'

const Time = Type.String({ description: 'ISO 8601' })
const { fps, quality, format, resolution, composition } = CloudRenderSchema.properties

/** A reply of success. */
export const CloudReplySchema = <T extends TSchema>(data: T) => Type.Object({ data })

/** States of a render; the last two are final. */
export const CloudStatusSchema = Type.Union([
  Type.Literal('queued'),
  Type.Literal('rendering'),
  Type.Literal('completed'),
  Type.Literal('failed'),
])
export type CloudStatus = Static<typeof CloudStatusSchema>

/** A project that was uploaded. */
export const CloudAssetSchema = Type.Object({
  asset_id: CloudAssetIdSchema,
  /** Signed; expires. */
  url: Type.String(),
  mime_type: Type.Literal('application/zip'),
  size_bytes: CountSchema,
})
export type CloudAsset = DeepReadonly<Static<typeof CloudAssetSchema>>

/** Body of `POST /v3/assets/uploads`: what is going to be sent in parts. */
export const CloudUploadInputSchema = Type.Object(
  {
    size_bytes: Type.Integer({ minimum: 1, description: 'bytes of the zip' }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the zip, in hexadecimal' }),
  },
  { additionalProperties: false },
)
export type CloudUploadInput = DeepReadonly<Static<typeof CloudUploadInputSchema>>

/** An upload in parts, each of which may be sent again: how a large zip goes through a cut connection. */
export const CloudUploadSchema = Type.Object({
  upload_id: Type.String({ pattern: '^upload_[A-Za-z0-9]{1,64}$' }),
  size_bytes: CountSchema,
  /** Bytes of each part but the last. */
  part_bytes: Type.Integer({ minimum: 1 }),
  /** Numbers of the parts that have arrived, from 0. */
  parts: Type.Array(CountSchema),
  expires_at: Time,
})
export type CloudUpload = DeepReadonly<Static<typeof CloudUploadSchema>>

/** Reply of a submission. */
export const CloudSubmittedSchema = Type.Object({ render_id: CloudRenderIdSchema, status: CloudStatusSchema })
export type CloudSubmitted = DeepReadonly<Static<typeof CloudSubmittedSchema>>

/** Left out by servers without such videos. */
const PlaylistUrlSchema = Type.Optional(
  Type.Union([Type.String(), Type.Null()], {
    description:
      'address at which players open an hls video, also while it is rendered; signed again for each request, and expiring; null before its first segment, and for other formats',
  }),
)

/** Left out by servers without posters. */
const PosterUrlSchema = Type.Optional(
  Type.Union([Type.String(), Type.Null()], {
    description: 'the poster, if one was requested; signed like the video, and null until it has completed',
  }),
)

/** One of the videos of a render of several shapes. */
export const CloudOutputSchema = Type.Object({
  shape: Type.String(),
  /** The render of this shape, which can be read and published by itself. */
  render_id: CloudRenderIdSchema,
  status: CloudStatusSchema,
  video_url: Nullable(Type.String()),
  thumbnail_url: Nullable(Type.String()),
  poster_url: Nullable(Type.String()),
  playlist_url: Nullable(Type.String()),
  duration: Nullable(Type.Number({ minimum: 0 })),
  size_bytes: Nullable(CountSchema),
  sha256: Nullable(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  failure_code: Nullable(Type.String()),
  failure_message: Nullable(Type.String()),
})
export type CloudOutput = DeepReadonly<Static<typeof CloudOutputSchema>>

/** Left out by servers without shapes. */
const OutputsSchema = Type.Optional(
  Type.Union([Type.Array(CloudOutputSchema), Type.Null()], {
    description: 'the videos of a render of several shapes, in the order of the request; null for one video',
  }),
)

/** A render as `GET /v3/vid/renders/{render_id}` reports it. */
export const CloudRecordSchema = Type.Object({
  render_id: CloudRenderIdSchema,
  status: CloudStatusSchema,
  title: Nullable(Type.String()),
  callback_id: Nullable(Type.String()),
  /** Signed again for each request, and expiring; null until it has completed. */
  video_url: Nullable(Type.String()),
  /** A JPEG of the picture, signed like the video. */
  thumbnail_url: Nullable(Type.String()),
  poster_url: PosterUrlSchema,
  playlist_url: PlaylistUrlSchema,
  /** Length of the video in seconds. */
  duration: Nullable(Type.Number({ minimum: 0 })),
  fps,
  quality,
  format,
  /** As requested; null, or left out by older servers, for the one that the format has by itself. */
  codec: Type.Optional(Nullable(Type.Unsafe<CloudCodec>(Type.Union(cloudCodecs.map((codec) => Type.Literal(codec)))))),
  resolution,
  aspect_ratio: Nullable(
    Type.Unsafe<(typeof cloudAspectRatios)[number]>(Type.Union(cloudAspectRatios.map((ratio) => Type.Literal(ratio)))),
  ),
  /** As requested; null, or left out by older servers, without one. */
  shape: Type.Optional(Nullable(Type.String())),
  outputs: OutputsSchema,
  composition,
  created_at: Time,
  started_at: Nullable(Time),
  completed_at: Nullable(Time),
  failure_code: Nullable(Type.String()),
  failure_message: Nullable(Type.String()),
  /** 0 … 1 over the whole render. */
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  frames_rendered: CountSchema,
  total_frames: CountSchema,
  size_bytes: Nullable(CountSchema),
  /** SHA-256 of the video, in hexadecimal. */
  sha256: Nullable(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  warnings: Type.Array(WarningSchema),
})
export type CloudRecord = DeepReadonly<Static<typeof CloudRecordSchema>>

/** One page of a list, the latest first. */
export const CloudPageSchema = Type.Object({
  data: Type.Array(CloudRecordSchema),
  has_more: Type.Boolean(),
  /** What fetches the next page, as the parameter `token`. */
  next_token: Nullable(Type.String()),
})
export type CloudPage = DeepReadonly<Static<typeof CloudPageSchema>>

/** Who a credential belongs to, as `GET /v3/users/me` reports it. */
export const CloudUserSchema = Type.Object({
  user_id: Type.String({ pattern: '^user_[A-Za-z0-9]{1,64}$' }),
  email: Nullable(Type.String()),
  name: Nullable(Type.String()),
  credential: Type.Union([Type.Literal('api_key'), Type.Literal('oauth')]),
  /** What was rendered since the first day of the month, UTC. */
  billing: Type.Object({
    period_start: Time,
    period_end: Time,
    /** Seconds of video. */
    rendered_seconds: Type.Number({ minimum: 0 }),
    /** The same, 4k counted 1.5 times. */
    billed_seconds: Type.Number({ minimum: 0 }),
    /** Most billed seconds of the period; null for no limit. */
    limit_seconds: Nullable(Type.Number({ minimum: 0 })),
  }),
  limits: Type.Object({
    /** Renders that may be queued or rendering at once. */
    open_renders: CountSchema,
    upload_bytes: CountSchema,
    requests_per_minute: CountSchema,
  }),
})
export type CloudUser = DeepReadonly<Static<typeof CloudUserSchema>>

/** Body of `POST /v3/vid/publications`: a render becomes a page that others can see. */
export const CloudPublishSchema = Type.Object(
  {
    render_id: CloudRenderIdSchema,
    title: Type.Optional(Type.String({ maxLength: 200 })),
    public: Type.Boolean({
      default: false,
      description: 'listed for everybody; otherwise seen only by its address',
    }),
    play: Type.Optional(
      Type.Boolean({
        description:
          'whether the page plays the composition, whose files can then be read by everybody who has its address; true for a new page, and unchanged for one that there is',
      }),
    ),
  },
  { additionalProperties: false },
)
export type CloudPublish = DeepReadonly<Static<typeof CloudPublishSchema>>

/** A page that shows a render. */
export const CloudPublicationSchema = Type.Object({
  publication_id: CloudPublicationIdSchema,
  render_id: CloudRenderIdSchema,
  /** Address of the page, which cannot be guessed. */
  url: Type.String(),
  title: Type.String(),
  public: Type.Boolean(),
  /** Whether it may play the composition; otherwise it shows the video alone. */
  play: Type.Boolean(),
  created_at: Time,
})
export type CloudPublication = DeepReadonly<Static<typeof CloudPublicationSchema>>

/** Codes of errors that the hosted API answers with. */
export const cloudErrorCodes = [
  'invalid_parameter',
  'vid_project_invalid',
  'vid_project_too_large',
  'unauthorized',
  'forbidden',
  'not_found',
  'asset_not_found',
  'vid_render_not_found',
  'idempotency_conflict',
  'request_in_progress',
  'rate_limit_exceeded',
  'internal_error',
  'unavailable',
] as const
export type CloudErrorCode = (typeof cloudErrorCodes)[number]

/** A reply that reports an error. */
export const CloudErrorSchema = Type.Object(
  {
    error: Type.Object({
      /** One of `cloudErrorCodes`; a client must expect others. */
      code: Type.String(),
      /** What happened with the value, and what to do. */
      message: Type.String(),
      /** Path of the value to correct, with dots. */
      param: Nullable(Type.String()),
      doc_url: Nullable(Type.String()),
    }),
  },
  { description: 'Why a request failed.' },
)
export type CloudErrorReply = DeepReadonly<Static<typeof CloudErrorSchema>>

/** Body of a webhook. */
export const CloudWebhookSchema = Type.Object({
  event_type: Type.Union([Type.Literal('vid_render.completed'), Type.Literal('vid_render.failed')]),
  event_data: Type.Object({
    render_id: CloudRenderIdSchema,
    status: CloudStatusSchema,
    video_url: Nullable(Type.String()),
    thumbnail_url: Nullable(Type.String()),
    poster_url: PosterUrlSchema,
    playlist_url: PlaylistUrlSchema,
    outputs: OutputsSchema,
    duration: Nullable(Type.Number({ minimum: 0 })),
    failure_message: Nullable(Type.String()),
    callback_id: Nullable(Type.String()),
  }),
})
export type CloudWebhook = DeepReadonly<Static<typeof CloudWebhookSchema>>
