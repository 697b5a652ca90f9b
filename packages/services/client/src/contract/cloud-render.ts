import {
  type DeepReadonly,
  defineSurface,
  type FrameRate,
  NUMERIC_FRAME_RATE_RULE,
  readFrameRate,
  readShape,
  readShapes,
  SHAPE_RULE,
  type Static,
  TIME_RULE,
  type TSchema,
  Type,
} from '@vid/protocol'

const oneOf = <const T extends readonly string[]>(values: T, description?: string) =>
  Type.Unsafe<T[number]>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      description === undefined ? {} : { description },
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

/** Rounded numbers that stand for the fractional rates of television. */
const ROUNDED = [23.976, 29.97, 47.952, 59.94, 119.88]

/** The number by which the hosted API names a frame rate; undefined for a fraction that no number there stands for. */
export const cloudFps = (fps: FrameRate): number | undefined =>
  typeof fps === 'number' ? fps : ROUNDED.find((rounded) => readFrameRate(rounded) === fps)

const ENCODED_BY_QUALITY = 'the hosted API encodes by quality; leave it out'

/** The settings of a render as the hosted API has them. */
export const cloudSurface = defineSurface(
  {
    entry: {
      as: 'composition',
      schema: Type.String({ minLength: 1, maxLength: 1000, default: 'index.html' }),
      about: 'entry HTML file inside the zip',
    },
    format: {
      schema: withDefault(oneOf(cloudFormats), 'mp4'),
      about: 'webm and mov carry alpha; hls is a zip of a folder that streams',
      values: cloudFormats,
    },
    outputs: { refused: 'one render makes one file; start one for each' },
    fps: {
      schema: Type.Refine(
        Type.Number({ minimum: 1, maximum: 240, default: 30 }),
        (value) => readFrameRate(value) !== undefined,
        () => `must be ${NUMERIC_FRAME_RATE_RULE}`,
      ),
      rule: NUMERIC_FRAME_RATE_RULE,
      write: (fps) => cloudFps(fps as FrameRate),
    },
    scale: { refused: 'a picture has 1080 or 2160 pixels at its shorter side; give a resolution' },
    resolution: { own: 'its shorter side is 1080p or 4k' },
    shapes: {
      as: 'shape',
      schema: Type.Optional(
        Type.Refine(
          Type.String({ maxLength: 7 }),
          (value) => readShape(value) === value,
          () => `must be ${SHAPE_RULE}`,
        ),
      ),
      about: `shape that the composition is laid out for, as its data-shape: ${SHAPE_RULE}`,
    },
    from: { refused: 'a render shows the whole composition' },
    to: { refused: 'a render shows the whole composition' },
    crf: { refused: ENCODED_BY_QUALITY },
    videoBitrate: { refused: ENCODED_BY_QUALITY },
    // Of a format that the hosted API does not make.
    gifLoop: { unsent: true },
    strictVariables: {
      schema: Type.Boolean({ default: true }),
      about: 'refuse values that are not declared or do not fit; otherwise they are warnings',
    },
    captions: {
      schema: Type.Optional(oneOf(cloudCaptions)),
      about: 'burn draws captions, as without this; track adds text tracks to the video',
      values: cloudCaptions,
    },
    poster: { about: `when the frame of the poster is shown, ${TIME_RULE}` },
    videoFrameFormat: { refused: 'the hosted API chooses how frames of sources are extracted' },
    // Lint runs before an upload.
    strict: { unsent: true },
    // The server decides on the network, and always allows some.
    network: { unsent: ['public', 'declared'] },
    hdr: { refused: 'renders of the hosted API are SDR' },
    sdr: { refused: 'renders of the hosted API are SDR; leave it out' },
    raster: { unsent: ['auto', 'portable'] },
    browserGpu: { unsent: ['auto', false] },
  },
  'snake_case',
)

/** Body of `POST /v3/vid/renders`. */
export const CloudRenderSchema = Type.Object(
  {
    project: CloudProjectSchema,
    ...cloudSurface.fields,
    resolution: withDefault(
      oneOf(cloudResolutions, 'shorter side of the picture: 1080 or 2160 pixels; 4k only for mp4'),
      '1080p',
    ),
    aspect_ratio: Type.Optional(oneOf(cloudAspectRatios, "shape of the picture; the composition's own if left out")),
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
