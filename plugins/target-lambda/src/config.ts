import { type RenderRequest, requestSettings } from '@vid/kernel'
import { InvalidConfigError, type RenderConfig, validateRenderConfig } from '@vid/lambda'

/** How the frames of a render are spread over the function. */
export interface Spread {
  readonly chunkSize?: number | undefined
  readonly maxParallelChunks?: number | undefined
  readonly targetChunkFrames?: number | undefined
}

/** The most frames of a segment that requests have by default; it decides where key frames stand. */
const { default: SEGMENT_FRAMES } = requestSettings.segmentFrames.schema as { default?: unknown }

/** Settings that a request and the config of a render on AWS have in common. */
const SHARED = [
  ...(['entry', 'format', 'fps', 'scale', 'from', 'to', 'quality', 'crf', 'videoBitrate', 'gifLoop'] as const),
  ...(['videoFrameFormat', 'network', 'strict', 'strictVariables', 'sdr'] as const),
]

/** Width and height of a resolution such as 1280x720. */
const sizeOf = (resolution: string | undefined) => {
  const [width, height] = resolution?.split('x').map(Number) ?? []
  return width === undefined || height === undefined ? {} : { width, height }
}

/** What a request asks of a render on AWS, without its variables. */
export const configOf = (
  request: RenderRequest,
  { chunkSize, maxParallelChunks, targetChunkFrames }: Spread,
): RenderConfig => ({
  ...Object.fromEntries(
    SHARED.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]] as const])),
  ),
  ...sizeOf(request.resolution),
  ...(chunkSize !== undefined && { chunkSize }),
  ...(maxParallelChunks !== undefined && { maxParallelChunks }),
  ...(targetChunkFrames !== undefined && { targetChunkFrames }),
})

const problemsOf = (config: RenderConfig): readonly string[] => {
  try {
    validateRenderConfig(config)
    return []
  } catch (thrown) {
    if (!(thrown instanceof InvalidConfigError)) throw thrown
    return thrown.problems.map(({ field, problem }) => `${field.replace(/^config\./, '')}: ${problem}`)
  }
}

/** What of a request cannot be rendered on AWS, in words. */
export const refusedByLambda = (request: RenderRequest, spread: Spread): readonly string[] => [
  ...(request.outputs.length > 0 ? ['several outputs are not supported'] : []),
  ...(['hdr', 'gpu'] as const).filter((name) => request[name]).map((name) => `${name} is not supported`),
  ...(request.raster === 'native' ? ['raster native is not supported'] : []),
  ...(request.segmentFrames === SEGMENT_FRAMES ? [] : ['segmentFrames is not supported']),
  ...problemsOf(configOf(request, spread)),
]
