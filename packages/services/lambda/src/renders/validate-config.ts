import { type RequestSetting, requestSettings } from '@vid/protocol'
import { countChunks } from '../contract/chunks.ts'
import { type ChunkSettings, type LambdaRequest, LambdaRequestSchema } from '../contract/execution-input.ts'
import { DEFAULT_FORMAT } from '../contract/formats.ts'
import { FUNCTION_MEMORY, FUNCTION_STORAGE, MAX_PARALLEL_CHUNKS } from '../contract/limits.ts'
import { limitProblems } from '../cost/limit-problems.ts'
import type { ConfigProblem } from '../errors.ts'
import { refuseProblems } from '../invalid-config.ts'
import { configProblems } from './config-problems.ts'
import type { RenderConfig } from './config-schema.ts'

/** Facts about a render besides its config. */
export interface RenderFacts {
  readonly totalFrames: number
  /** Size of the composition, used if the config has none. */
  readonly width?: number
  readonly height?: number
  /** Resources of the function; the stack's defaults if left out. */
  readonly memoryMb?: number
  readonly storageMb?: number
}

/** Limits of Lambda that a render exceeds according to the available facts. */
const exceededLimits = (config: RenderConfig, facts: RenderFacts): readonly ConfigProblem[] => {
  const { totalFrames: frames, memoryMb = FUNCTION_MEMORY, storageMb = FUNCTION_STORAGE } = facts
  const width = config.width ?? facts.width
  const height = config.height ?? facts.height
  if (width === undefined || height === undefined) return []
  const { format = DEFAULT_FORMAT } = config
  const chunks = countChunks(frames, chunkSettingsOf(config))
  const size = { width, height, memoryMb, storageMb }
  return limitProblems({ frames, format, chunks, ...size }).map(({ field, problem }) => ({
    field: `config.${field}`,
    problem,
  }))
}

/**
 * Checks the config of a render; throws InvalidConfigError with every unusable field. If the number of frames is given,
 * the limits of Lambda are checked too.
 */
export const validateRenderConfig = (config: RenderConfig, facts?: RenderFacts): void => {
  refuseProblems(configProblems(config))
  if (facts) refuseProblems(exceededLimits(config, facts))
}

const settings: Readonly<Record<string, RequestSetting>> = requestSettings

/** The request of a checked config, with exact values; omitted fields are left to the config of the function. */
export const requestOf = ({ format = DEFAULT_FORMAT, ...config }: RenderConfig): LambdaRequest => {
  const names = Object.keys(LambdaRequestSchema.properties)
  const entries = Object.entries(config).filter(([name, value]) => names.includes(name) && value !== undefined)
  const exact = entries.map(([name, value]) => [name, settings[name]?.read?.(value) ?? value])
  return { format, ...Object.fromEntries(exact) }
}

/** How the frames of a checked config are distributed. */
export const chunkSettingsOf = ({
  chunkSize,
  targetChunkFrames,
  maxParallelChunks = MAX_PARALLEL_CHUNKS,
}: RenderConfig): ChunkSettings => ({
  ...(chunkSize !== undefined && { chunkSize }),
  ...(targetChunkFrames !== undefined && { targetChunkFrames }),
  maxParallelChunks,
})
