import { failContract } from './contract-errors.ts'
import type { DeepReadonly } from './readonly.ts'
import { type Static, Type, Value } from './schema.ts'
import { schemaProblems } from './schema-problems.ts'

/** How frames of source videos are extracted; `auto` keeps alpha and is fast without. */
export const VideoFrameFormatSchema = Type.Union(
  [Type.Literal('auto'), Type.Literal('jpg'), Type.Literal('png')],
  { default: 'auto' },
)
export type VideoFrameFormat = Static<typeof VideoFrameFormatSchema>

/** What a caller asks for; every surface (CLI, config, servers) is checked against this schema. */
export const RenderRequestSchema = Type.Object({
  /** Absolute folder of the composition. */
  projectDir: Type.String(),
  entry: Type.String({ default: 'index.html' }),
  /** Absolute path of the result. */
  output: Type.String(),
  format: Type.String({ default: 'mp4' }),
  /** Further files of the same frames; `output` is an absolute path. */
  outputs: Type.Array(Type.Object({ format: Type.String(), output: Type.String() }), { default: [] }),
  /** Frames a second; a surface may allow fewer values. */
  fps: Type.Integer({ minimum: 1, maximum: 240, default: 30 }),
  quality: Type.Union([Type.Literal('draft'), Type.Literal('standard'), Type.Literal('high')], {
    default: 'standard',
  }),
  crf: Type.Optional(Type.Integer({ minimum: 0, maximum: 51 })),
  /** Such as `10M` or `5000k`. */
  videoBitrate: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,8}(\\.[0-9]+)?[kM]?$' })),
  /** How often a gif starts again, as the file says it; 0, the default, for ever. */
  gifLoop: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535 })),
  workers: Type.Union([Type.Integer({ minimum: 1, maximum: 8 }), Type.Literal('auto')], { default: 'auto' }),
  /** Most frames in a segment; part of the plan, since it decides where key frames stand. */
  segmentFrames: Type.Integer({ minimum: 1, maximum: 240, default: 120 }),
  variables: Type.Record(Type.String(), Type.Unknown(), { default: {} }),
  strictVariables: Type.Boolean({ default: false }),
  videoFrameFormat: VideoFrameFormatSchema,
  /** Makes a missing or broken media source an error. */
  strict: Type.Boolean({ default: false }),
  /** HDR also without an HDR source. */
  hdr: Type.Boolean({ default: false }),
  /** SDR also with an HDR source. */
  sdr: Type.Boolean({ default: false }),
  /** Encodes in hardware where the machine that plans can. */
  gpu: Type.Boolean({ default: false }),
})
export type RenderRequest = DeepReadonly<Static<typeof RenderRequestSchema>>

/** A request as a caller writes it: what has a default may be left out. */
export type RenderRequestInput = Pick<RenderRequest, 'projectDir' | 'output'> & Partial<RenderRequest>

/** Fills in defaults and refuses what does not fit, naming every wrong value at once. */
export const checkRequest = (input: RenderRequestInput): RenderRequest => {
  const request = Value.Default(RenderRequestSchema, Value.Clone(input))
  const problems = schemaProblems(RenderRequestSchema, request)
  const { crf, videoBitrate, hdr, sdr } = request as RenderRequest
  if (hdr && sdr) problems.push('hdr and sdr cannot be combined')
  if (crf !== undefined && videoBitrate !== undefined)
    problems.push(`crf ${crf} and videoBitrate ${videoBitrate} cannot be combined`)
  if (problems.length > 0) throw failContract('VID_REQUEST_INVALID', { problems })
  return request as RenderRequest
}
