import { type RequestSetting, requestSettings } from '@vid/kernel'
import { type ChunkSettings, type LambdaRequest, LambdaRequestSchema } from '../contract/execution-input.ts'
import { MAX_PARALLEL_CHUNKS } from '../contract/limits.ts'
import { configProblems } from './config-problems.ts'
import type { RenderConfig } from './config-schema.ts'
import { refuseProblems } from './invalid-config.ts'

/** Checks the config of a render by itself; throws InvalidConfigError, which names every field that cannot be used. */
export const validateRenderConfig = (config: RenderConfig): void => refuseProblems(configProblems(config))

const settings: Readonly<Record<string, RequestSetting>> = requestSettings

/** Format of a render whose config names none. */
export const DEFAULT_FORMAT = 'mp4'

/** The request of a checked config, with exact values; what is left out is up to the config of the function. */
export const requestOf = ({ format = DEFAULT_FORMAT, ...config }: RenderConfig): LambdaRequest => {
  const names = Object.keys(LambdaRequestSchema.properties)
  const given = Object.entries(config).filter(([name, value]) => names.includes(name) && value !== undefined)
  const exact = given.map(([name, value]) => [name, settings[name]?.read?.(value) ?? value])
  return { format, ...Object.fromEntries(exact) }
}

/** How the frames of a checked config are spread. */
export const chunksOf = ({
  chunkSize,
  targetChunkFrames,
  maxParallelChunks = MAX_PARALLEL_CHUNKS,
}: RenderConfig): ChunkSettings => ({
  ...(chunkSize !== undefined && { chunkSize }),
  ...(targetChunkFrames !== undefined && { targetChunkFrames }),
  maxParallelChunks,
})
