import { failContract } from './contract-errors.ts'
import { MediaTrackSchema } from './media.ts'
import { VideoFrameFormatSchema } from './request.ts'
import { type Static, Type } from './schema.ts'
import { schemaProblems } from './schema-problems.ts'

const Count = Type.Integer({ minimum: 1 })
const Settings = Type.Record(Type.String(), Type.Unknown())
const PluginUse = Type.Object({
  name: Type.String(),
  options: Settings,
  settings: Settings,
  /** Identity of the binary behind the plugin, part of the hash: another build may draw other pixels. */
  build: Type.String(),
})

/** A run of consecutive frames that is captured, encoded, retried and cached as one. */
export const SegmentSchema = Type.Object({
  index: Type.Integer({ minimum: 0 }),
  /** First frame, counted from 0. */
  start: Type.Integer({ minimum: 0 }),
  frames: Count,
})
export type Segment = Static<typeof SegmentSchema>

/** Light of a video that goes beyond paper white. */
export const HdrSchema = Type.Object({
  transfer: Type.Union([Type.Literal('pq'), Type.Literal('hlg')]),
  /** Brightest light of its sources, cd/m²: what lies above is shown as bright as this. */
  peak: Type.Number({ minimum: 203, maximum: 10_000 }),
  /** Display that it was graded on: chromaticities in 1/50000, luminance in 1/10000 cd/m². */
  mastering: Type.String({
    pattern: '^G\\(\\d+,\\d+\\)B\\(\\d+,\\d+\\)R\\(\\d+,\\d+\\)WP\\(\\d+,\\d+\\)L\\(\\d+,\\d+\\)$',
  }),
  /** Brightest pixel, cd/m². */
  maxCll: Type.Integer({ minimum: 1, maximum: 65_535 }),
  /** Brightest frame on average, cd/m². */
  maxFall: Type.Integer({ minimum: 1, maximum: 65_535 }),
})
export type Hdr = Static<typeof HdrSchema>

/** Everything that decides the bytes of a render, as data; holds no path of any machine. */
export const RenderPlanSchema = Type.Object({
  version: Type.Literal(1),
  composition: Type.Object({
    /** Entry file, relative to the project. */
    entry: Type.String(),
    id: Type.String(),
    /** SHA-256 of the entry file's bytes, or of the compiled text when other files are embedded in it. */
    digest: Type.String(),
    /** Whether a page must be replayed from frame 0, because its scripts keep state between frames. */
    stateful: Type.Boolean(),
  }),
  width: Count,
  height: Count,
  fps: Count,
  frames: Count,
  /** Seconds. */
  duration: Type.Number({ exclusiveMinimum: 0 }),
  variables: Settings,
  format: Type.String(),
  alpha: Type.Boolean(),
  segments: Type.Array(SegmentSchema, { minItems: 1 }),
  capture: PluginUse,
  encoder: PluginUse,
  /** Further outputs of the same frames. */
  outputs: Type.Optional(Type.Array(Type.Object({ format: Type.String(), encoder: PluginUse }))),
  /** The tracks of `media` that are heard. */
  audio: Type.Array(MediaTrackSchema),
  media: Type.Array(MediaTrackSchema),
  videoFrameFormat: VideoFrameFormatSchema,
  /** Left out of a plan for SDR. */
  hdr: Type.Optional(HdrSchema),
})
export type RenderPlan = Static<typeof RenderPlanSchema>

/** A plan of one frame of one pixel, for plugins on the plan hook to fill in. */
export const draftPlan = (
  entry: string,
  known: Pick<
    RenderPlan,
    'fps' | 'variables' | 'format' | 'alpha' | 'videoFrameFormat' | 'capture' | 'encoder' | 'outputs'
  >,
): RenderPlan => ({
  version: 1,
  composition: { entry, id: '', digest: '', stateful: true },
  width: 1,
  height: 1,
  frames: 1,
  duration: 1 / known.fps,
  segments: [{ index: 0, start: 0, frames: 1 }],
  audio: [],
  media: [],
  ...known,
})

/** Copies a plan as JSON carries it, and refuses one that does not fit the schema. */
export const checkPlan = (plan: unknown): RenderPlan => {
  const problems = schemaProblems(RenderPlanSchema, plan)
  if (problems.length > 0) throw failContract('VID_PLAN_INVALID', { problems })
  return JSON.parse(JSON.stringify(plan)) as RenderPlan
}

/** One plan for each output, the first first: each as if it were rendered alone. */
export const outputPlans = ({ outputs = [], ...plan }: RenderPlan): RenderPlan[] => [
  plan,
  ...outputs.map((output) => ({ ...plan, ...output })),
]

/** JSON with sorted keys, so that equal plans have equal text. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/** Equal for two plans whose pages look the same, so that one open page can serve both. */
export const pageKey = (plan: RenderPlan): string => {
  const { composition, width, height, fps, variables, alpha, videoFrameFormat, capture } = plan
  return canonicalJson({
    ...{ entry: composition.entry, width, height, fps, variables, alpha, videoFrameFormat, capture },
  })
}

/** Splits `frames` into at most `maxParallel` equal runs of about `segmentFrames`; chunks use it too. */
export const splitFrames = (frames: number, segmentFrames: number, maxParallel = Infinity): Segment[] => {
  const wanted = Math.min(maxParallel, Math.ceil(frames / segmentFrames))
  const size = Math.ceil(frames / wanted)
  return Array.from({ length: Math.ceil(frames / size) }, (_, index) => ({
    index,
    start: index * size,
    frames: Math.min(size, frames - index * size),
  }))
}
