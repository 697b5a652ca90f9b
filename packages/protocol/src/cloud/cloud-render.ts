import { NUMERIC_FRAME_RATE_RULE, readFrameRate } from '../frame-rate.ts'
import { LADDER_RULE, readLadder, readShape, readShapes, SHAPE_RULE } from '../picture-size.ts'
import type { DeepReadonly } from '../readonly.ts'
import { type Static, type TSchema, Type } from '../schema.ts'
import { requestSettings } from '../settings.ts'
import { isTime, TIME_RULE } from '../time-text.ts'

const oneOf = <const T extends readonly string[]>(values: T, description: string) =>
  Type.Unsafe<T[number]>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      { description },
    ),
  )

const withDefault = <T extends TSchema>(schema: T, standard: unknown): T => ({ ...schema, default: standard })

/** Formats that the hosted API makes. */
export const cloudFormats = ['mp4', 'webm', 'mov', 'hls'] as const
/** A format that the hosted API makes. */
export type CloudFormat = (typeof cloudFormats)[number]
/** Codecs of an mp4 or hls video. */
export const cloudCodecs = ['h264', 'hevc', 'av1'] as const
/** A codec of an mp4 or hls video. */
export type CloudCodec = (typeof cloudCodecs)[number]
/** Names of the sizes of a picture. */
export const cloudResolutions = ['1080p', '4k'] as const
/** Pixels of the shorter side of a picture, by its resolution. */
export const cloudSides = { '1080p': 1080, '4k': 2160 } as const
/** What the hosted API may do with captions; no files come beside a video. */
export const cloudCaptions = ['burn', 'track', 'burn,track'] as const
/** Shapes that a picture can be given. */
export const cloudAspectRatios = ['16:9', '9:16', '1:1'] as const
/** The shape of a picture. */
export type CloudAspectRatio = (typeof cloudAspectRatios)[number]

/** Opaque text by which a client marks requests that mean the same work. */
export const IdempotencyKeySchema = Type.String({
  pattern: '^[A-Za-z0-9_.:-]{1,255}$',
  description: 'opaque text; a request that repeats it gets the first reply again',
})

/** Id of anything that the hosted API keeps: a prefix for its kind, and letters and digits. */
const Id = (prefix: string) => Type.String({ pattern: `^${prefix}_[A-Za-z0-9]{1,64}$` })
export const CloudAssetIdSchema = Id('asset')
export const CloudRenderIdSchema = Id('render')
export const CloudPublicationIdSchema = Id('pub')

/** Where the project of a render comes from. */
export const CloudProjectSchema = Type.Union([
  Type.Object(
    { type: Type.Literal('asset_id'), asset_id: CloudAssetIdSchema },
    { additionalProperties: false, description: 'a zip that was uploaded to /v3/assets' },
  ),
  Type.Object(
    { type: Type.Literal('url'), url: Type.String({ minLength: 8, maxLength: 4000 }) },
    { additionalProperties: false, description: 'a zip that the server fetches from a public https address' },
  ),
])
export type CloudProject = DeepReadonly<Static<typeof CloudProjectSchema>>

/** Body of `POST /v3/vid/renders`. */
export const CloudRenderSchema = Type.Object(
  {
    project: CloudProjectSchema,
    fps: Type.Refine(
      Type.Number({ minimum: 1, maximum: 240, default: 30, description: requestSettings.fps.about }),
      (value) => readFrameRate(value) !== undefined,
      () => `must be ${NUMERIC_FRAME_RATE_RULE}`,
    ),
    quality: withDefault(oneOf(['draft', 'standard', 'high'], 'quality preset'), 'standard'),
    format: withDefault(oneOf(cloudFormats, 'webm and mov carry alpha; hls is a zip of a folder that streams'), 'mp4'),
    ladder: Type.Optional(
      Type.Refine(
        Type.String({ maxLength: 60, description: requestSettings.ladder.about }),
        (value) => readLadder(value) !== undefined,
        () => `must be ${LADDER_RULE}`,
      ),
    ),
    codec: Type.Optional(oneOf(cloudCodecs, requestSettings.codec.about)),
    resolution: withDefault(
      oneOf(cloudResolutions, 'shorter side of the picture: 1080 or 2160 pixels; 4k only for mp4'),
      '1080p',
    ),
    aspect_ratio: Type.Optional(oneOf(cloudAspectRatios, "shape of the picture; the composition's own if left out")),
    shape: Type.Optional(
      Type.Refine(
        Type.String({
          maxLength: 7,
          description: `shape that the composition is laid out for, as its data-shape: ${SHAPE_RULE}`,
        }),
        (value) => readShape(value) === value,
        () => `must be ${SHAPE_RULE}`,
      ),
    ),
    shapes: Type.Optional(
      Type.Refine(
        Type.Array(Type.String({ maxLength: 7 }), {
          minItems: 1,
          maxItems: 8,
          description: 'several shapes, each a video of its own in the outputs of the render',
        }),
        (values) => readShapes(values.join()) === values.join(),
        () => 'must be shapes of whole numbers up to 100 such as 9:16, each once, at most 8',
      ),
    ),
    composition: Type.String({
      minLength: 1,
      maxLength: 1000,
      default: 'index.html',
      description: 'entry HTML file inside the zip',
    }),
    variables: Type.Record(Type.String(), Type.Unknown(), {
      default: {},
      description: 'values of variables',
    }),
    loudness: requestSettings.loudness.schema,
    captions: Type.Optional(
      oneOf(cloudCaptions, 'burn draws captions, as without this; track adds text tracks to the video'),
    ),
    poster: Type.Optional(
      Type.Refine(
        Type.String({ maxLength: 40, description: `when the frame of the poster is shown, ${TIME_RULE}` }),
        isTime,
        () => `must be ${TIME_RULE}`,
      ),
    ),
    strict_variables: Type.Boolean({
      default: true,
      description: 'refuse values that are not declared or do not fit; otherwise they are warnings',
    }),
    title: Type.Optional(Type.String({ maxLength: 200 })),
    callback_url: Type.Optional(Type.String({ maxLength: 2000, description: 'https address that is told of the end' })),
    callback_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'opaque text, told to the callback' }),
    ),
  },
  { additionalProperties: false },
)

/** A render request to the hosted API, with every default. */
export type CloudRender = DeepReadonly<Static<typeof CloudRenderSchema>>

const { project: projectSchema, ...otherFields } = CloudRenderSchema.properties

/** A field that may be left out; its default is said in words, since generated clients would ask for it otherwise. */
const optionalField = (schema: TSchema): TSchema => {
  const { default: standard, description } = schema as TSchema & {
    readonly default?: unknown
    readonly description?: string
  }
  const parts = standard === undefined ? [] : [`${JSON.stringify(standard)} if left out`]
  const about = [...(description === undefined ? [] : [description]), ...parts].join('; ')
  const words = { default: undefined, ...(about !== '' && { description: about }) }
  return Type.Optional(Type.With(schema, words) as unknown as TSchema)
}

/** The body of a submission as it is sent: what has a default may be left out. */
export const CloudRenderInputSchema = Type.Unsafe<CloudRenderInput>(
  Type.Object(
    {
      project: projectSchema,
      ...Object.fromEntries(Object.entries(otherFields).map(([name, schema]) => [name, optionalField(schema)])),
    },
    { additionalProperties: false },
  ),
)

/** A render as a client asks for it: what has a default may be left out. */
export type CloudRenderInput = Pick<CloudRender, 'project'> & Partial<CloudRender>
