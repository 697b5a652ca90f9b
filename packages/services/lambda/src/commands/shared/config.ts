import { flagName, type OptionValues, settingsOf } from '@vid/command'
import type { VidError } from '@vid/protocol'
import { DEFAULT_FORMAT, FILE_FORMATS } from '../../contract/formats.ts'
import { invalidConfig, isInvalidConfig } from '../../invalid-config.ts'
import type { RenderConfig } from '../../renders/config-schema.ts'
import { lambdaRenderOptions } from './options.ts'

type RenderValues = OptionValues<typeof lambdaRenderOptions>

/** The requested format: the option's, otherwise that of the first path with a known extension. */
export const requestedFormat = ({ format }: RenderValues, ...paths: readonly (string | undefined)[]): string => {
  const extensions = paths.map((path) => /\.(\w+)$/.exec(path ?? '')?.[1]?.toLowerCase())
  return (
    format ??
    extensions.find((extension) => extension !== undefined && FILE_FORMATS.includes(extension)) ??
    DEFAULT_FORMAT
  )
}

/** The render config of the flags, without variables; omitted flags get the defaults of @vid/lambda. */
export const configFromFlags = (options: RenderValues, format: string): RenderConfig => {
  const { width, height, preset, cache, growing } = options
  const chunkSize = options['chunk-size']
  const maxParallelChunks = options['max-parallel-chunks']
  const targetChunkFrames = options['target-chunk-frames']
  return {
    ...settingsOf(lambdaRenderOptions, options),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(preset !== undefined && { preset }),
    ...(cache !== undefined && { reuse: cache }),
    ...(growing !== undefined && { growing }),
    ...(chunkSize !== undefined && { chunkSize }),
    ...(maxParallelChunks !== undefined && { maxParallelChunks }),
    ...(targetChunkFrames !== undefined && { targetChunkFrames }),
    format,
  }
}

/** The flag of an SDK field: `config.chunkSize` is --chunk-size. */
const flagOf = (field: string): string => {
  const name = field.replace(/^config\./, '')
  return name === 'reuse' ? '--no-cache' : `--${flagName(name)}`
}

/** Runs a check of the SDK; its errors name flags in place of fields. */
export const inOptions = async <T>(check: () => T | Promise<T>): Promise<T> => {
  try {
    return await check()
  } catch (thrown) {
    if (!isInvalidConfig(thrown)) throw thrown
    const [first, ...more] = thrown.problems.map(({ field, problem }) => ({ field: flagOf(field), problem }))
    throw first ? invalidConfig(first, ...more) : thrown
  }
}

/** The errors that a check throws, as a list; empty if it passes. */
export const flagErrorsOf = async (check: () => unknown): Promise<readonly VidError[]> => {
  try {
    await inOptions(check)
    return []
  } catch (thrown) {
    if (isInvalidConfig(thrown)) return [thrown]
    throw thrown
  }
}
