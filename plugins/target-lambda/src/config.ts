import type { RenderRequest } from '@vid/kernel'
import { isInvalidConfig, lambdaSurface, type RenderConfig, validateRenderConfig } from '@vid/lambda'

/** How the frames of a render are distributed over calls. */
export interface Spread {
  readonly chunkSize?: number | undefined
  readonly maxParallelChunks?: number | undefined
  readonly targetChunkFrames?: number | undefined
}

/** Width and height of a resolution such as 1280x720. */
const sizeOf = (resolution: string | undefined) => {
  const [width, height] = resolution?.split('x').map(Number) ?? []
  return width === undefined || height === undefined ? {} : { width, height }
}

/** The config of a render on AWS for a request, without its variables. */
export const configOf = (
  request: RenderRequest,
  { chunkSize, maxParallelChunks, targetChunkFrames }: Spread,
): RenderConfig => ({
  ...lambdaSurface.write(request),
  ...sizeOf(request.resolution),
  // The finished video is fetched from the bucket, where nobody looks for it.
  ...(request.format === 'hls' && { growing: false }),
  ...(chunkSize !== undefined && { chunkSize }),
  ...(maxParallelChunks !== undefined && { maxParallelChunks }),
  ...(targetChunkFrames !== undefined && { targetChunkFrames }),
})

const problemsOf = (config: RenderConfig): readonly string[] => {
  try {
    validateRenderConfig(config)
    return []
  } catch (thrown) {
    if (!isInvalidConfig(thrown)) throw thrown
    return thrown.problems.map(({ field, problem }) => `${field.replace(/^config\./, '')}: ${problem}`)
  }
}

/** Describes the other parts of a request that cannot be rendered on AWS. */
export const refusedByLambda = (request: RenderRequest, spread: Spread): readonly string[] =>
  problemsOf(configOf(request, spread))
