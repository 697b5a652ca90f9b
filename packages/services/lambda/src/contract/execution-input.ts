import { defineSurface, readShape, type Static, Type } from '@vid/protocol'
import { MAX_CHUNKS } from './limits.ts'

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** Reference to an object in the bucket by its digest. */
export const ObjectReferenceSchema = Type.Object(
  { key: Type.String({ minLength: 1 }), sha256: Digest },
  { additionalProperties: false },
)
export type ObjectReference = Static<typeof ObjectReferenceSchema>

const PICTURE_SIDE = Type.Integer({ minimum: 1, maximum: 16_384 })

/** One shape, such as 9:16. */
const ONE_SHAPE = Type.Refine(
  Type.String({ maxLength: 60 }),
  (value) => readShape(value) !== undefined,
  () => 'must be one shape such as 9:16; start one render for each',
)

/** The settings of a render as a render on AWS has them. */
export const lambdaSurface = defineSurface({
  output: { refused: 'give outputKey beside the config in its place' },
  outputs: { refused: 'a render on AWS has one output; start one render for each' },
  resolution: { own: 'give width and height in its place' },
  shapes: {
    schema: ONE_SHAPE,
    about: 'shape that the composition is laid out for, with the shorter side of the composition; one for each render',
  },
  // They may be larger than the settings of an execution.
  variables: { unsent: true },
  hdr: { refused: 'renders on AWS are SDR; leave it out, or render with `vid render --hdr`' },
  gpu: { refused: 'Lambda has no hardware that encodes; leave it out' },
  workers: { refused: 'the function chooses how many browsers it starts; give maxParallelChunks to spread a render' },
  browserGpu: { unsent: true },
  raster: { unsent: ['auto', 'portable'] },
})

const settings = Type.Partial(
  Type.Object({
    ...lambdaSurface.fields,
    /** Size of the picture; that of the composition if left out. */
    width: PICTURE_SIDE,
    height: PICTURE_SIDE,
    /** Name of a preset in the config of the function. */
    preset: Type.String({ minLength: 1 }),
  }),
)

/**
 * The portable settings of a render. As in a local render, omitted settings come from the config, here the one that the
 * function was built with.
 */
export const LambdaRequestSchema = Type.With(settings, { additionalProperties: false })
export type LambdaRequest = Static<typeof LambdaRequestSchema>

/** How the frames of a render are distributed. */
export const ChunkSettingsSchema = Type.Object(
  {
    chunkSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
    targetChunkFrames: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
    maxParallelChunks: Type.Integer({ minimum: 1, maximum: MAX_CHUNKS }),
  },
  { additionalProperties: false },
)
export type ChunkSettings = Static<typeof ChunkSettingsSchema>

/** Name of an execution, and the id of its render. */
export const RENDER_ID = '^[A-Za-z0-9_-]{1,80}$'

/** Input of an execution, and of the function's call for planning. */
export const ExecutionInputSchema = Type.Object(
  {
    action: Type.Literal('plan'),
    /** Version of `@vid/lambda`; a function of another version refuses the input. */
    version: Type.String({ minLength: 1 }),
    renderId: Type.String({ pattern: RENDER_ID }),
    /** SHA-256 of the manifest of the project. */
    siteId: Digest,
    request: LambdaRequestSchema,
    /** Variable values: inline, or in an object in the bucket. */
    variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    variablesObject: Type.Optional(ObjectReferenceSchema),
    chunks: ChunkSettingsSchema,
    outputKey: Type.String({ minLength: 1, maxLength: 900 }),
    /** Renders of one batch render a shared segment only once. */
    batchId: Type.Optional(Type.String({ pattern: RENDER_ID })),
    /** Whether finished segments in the bucket may be reused. */
    reuse: Type.Boolean(),
    /** Whether an hls video is published while it is rendered. */
    growing: Type.Boolean(),
  },
  { additionalProperties: false },
)
export type ExecutionInput = Static<typeof ExecutionInputSchema>
