import { type OptionValues, settingsOf } from '@vid/command'
import type { VidError } from '@vid/kernel'
import { InvalidConfigError } from '../../invalid-config.ts'
import type { RenderConfig } from '../../renders/config-schema.ts'
import { lambdaRenderOptions } from './options.ts'

type RenderValues = OptionValues<typeof lambdaRenderOptions>

/** Formats that the extension of a file says. */
const EXTENSIONS = ['mp4', 'mov', 'webm', 'gif']

/** The format that is asked for: the option's, else that of the extension of the first path that has a known one. */
export const formatOf = ({ format }: RenderValues, ...paths: readonly (string | undefined)[]): string => {
  const extensions = paths.map((path) => /\.(\w+)$/.exec(path ?? '')?.[1]?.toLowerCase())
  return format ?? extensions.find((extension) => extension !== undefined && EXTENSIONS.includes(extension)) ?? 'mp4'
}

/** What the flags ask of a render, without its variables; what they leave out has the defaults of @vid/lambda. */
export const configOf = (options: RenderValues, format: string): RenderConfig => {
  const { width, height, preset, cache } = options
  const chunkSize = options['chunk-size']
  const maxParallelChunks = options['max-parallel-chunks']
  const targetChunkFrames = options['target-chunk-frames']
  return {
    ...settingsOf(lambdaRenderOptions, options),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(preset !== undefined && { preset }),
    ...(cache !== undefined && { reuse: cache }),
    ...(chunkSize !== undefined && { chunkSize }),
    ...(maxParallelChunks !== undefined && { maxParallelChunks }),
    ...(targetChunkFrames !== undefined && { targetChunkFrames }),
    format,
  }
}

/** Flags whose names are not those of their fields. */
const FLAGS: Readonly<Record<string, string>> = { entry: '--composition', reuse: '--no-cache' }

/** A field of the SDK as the command line writes it: `config.chunkSize` is --chunk-size. */
const flagOf = (field: string): string => {
  const name = field.replace(/^config\./, '')
  return FLAGS[name] ?? `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** Runs a check of the SDK; what it refuses is named by the flags. */
export const inOptions = async <T>(check: () => T | Promise<T>): Promise<T> => {
  try {
    return await check()
  } catch (thrown) {
    if (!(thrown instanceof InvalidConfigError)) throw thrown
    const [first, ...more] = thrown.problems.map(({ field, problem }) => ({ field: flagOf(field), problem }))
    throw first ? new InvalidConfigError(first, ...more) : thrown
  }
}

/** What a check throws, as a list; empty when it passes. */
export const flagErrorsOf = async (check: () => unknown): Promise<readonly VidError[]> => {
  try {
    await inOptions(check)
    return []
  } catch (thrown) {
    if (thrown instanceof InvalidConfigError) return [thrown]
    throw thrown
  }
}
