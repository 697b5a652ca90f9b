import { access } from 'node:fs/promises'
import { delimiter, dirname, join, resolve } from 'node:path'
import { describeCause, isSystemFault } from '@vid/protocol'
import { fail } from '../errors.ts'
import { embeddedProgram } from './embedded.ts'
import { type BuildInfo, inspectBuild } from './version.ts'

/** Codecs of the built-in formats that some builds lack. */
const CODECS = ['libx264', 'libvpx', 'libopus']

/** Where to look for ffmpeg and ffprobe. */
export interface FindOptions {
  /** Path of ffmpeg from the configuration; the environment takes precedence. */
  readonly path?: string
  readonly ffprobePath?: string
  /** Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal
}

/** Where a program came from. */
export type FfmpegSource = 'env' | 'config' | 'system' | 'embedded'

/** The two programs to use together. */
export interface FfmpegTools {
  /** Absolute path. */
  readonly ffmpeg: string
  /** Absolute path. */
  readonly ffprobe: string
  /** ffmpeg's version string, such as `5.1.9` or `N-47683-g0e8eb07980-static`. */
  readonly version: string
  /** Version and digest of the build's self-description: another build may encode other bytes. */
  readonly build: string
  /** Major version of libavutil; 58 came with ffmpeg 6. */
  readonly avutil: number
  readonly source: FfmpegSource
}

type Env = NonNullable<FindOptions['env']>
type Found = { readonly path: string; readonly info: BuildInfo }

const fileName = (program: string) => (process.platform === 'win32' ? `${program}.exe` : program)
const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

const onPath = async (program: string, env: Env): Promise<string | undefined> => {
  for (const folder of (env.PATH ?? env.Path ?? '').split(delimiter)) {
    const file = join(folder, fileName(program))
    if (folder !== '' && (await exists(file))) return resolve(file)
  }
  return undefined
}

/** A program that the user chose; if it does not run, the error names the setting. */
const verifyChoice = async (setting: string, value: string, signal?: AbortSignal): Promise<Found> => {
  const path = resolve(value)
  try {
    return { path, info: await inspectBuild(path, signal) }
  } catch (cause) {
    signal?.throwIfAborted()
    throw fail('VID_FFMPEG_PATH', { setting, value, reason: describeCause(cause).replace(/\.$/, '') }, { cause })
  }
}

/** A program that was not configured; if it does not run, it is skipped. */
const candidate = async (path: string | undefined, signal?: AbortSignal): Promise<Found | undefined> => {
  if (path === undefined) return undefined
  try {
    return { path, info: await inspectBuild(path, signal) }
  } catch (cause) {
    signal?.throwIfAborted()
    // A machine that runs short would else take another program now and then, and make other bytes.
    if (isSystemFault(cause)) throw cause
    return undefined
  }
}

const findEncoder = async (options: FindOptions, env: Env): Promise<Found & { source: FfmpegSource }> => {
  const { signal } = options
  if (env.VID_FFMPEG_PATH)
    return { ...(await verifyChoice('VID_FFMPEG_PATH', env.VID_FFMPEG_PATH, signal)), source: 'env' }
  if (options.path) return { ...(await verifyChoice('ffmpeg.path', options.path, signal)), source: 'config' }
  const [system, embedded] = await Promise.all([
    onPath('ffmpeg', env).then((path) => candidate(path, signal)),
    embeddedProgram('ffmpeg', env).then((path) => candidate(path, signal)),
  ])
  const complete = system !== undefined && CODECS.every((codec) => system.info.configuration.includes(codec))
  if (complete && system.info.avutil > (embedded?.info.avutil ?? 0)) return { ...system, source: 'system' }
  if (embedded) return { ...embedded, source: 'embedded' }
  throw fail('VID_FFMPEG_MISSING', { program: 'ffmpeg', platform: `${process.platform} ${process.arch}` })
}

const findProbe = async (options: FindOptions, env: Env, encoder: { path: string; source: FfmpegSource }) => {
  const { signal } = options
  if (env.VID_FFPROBE_PATH) return verifyChoice('VID_FFPROBE_PATH', env.VID_FFPROBE_PATH, signal)
  if (options.ffprobePath) return verifyChoice('ffmpeg.ffprobePath', options.ffprobePath, signal)
  const sibling = join(dirname(encoder.path), fileName('ffprobe'))
  const path =
    (encoder.source === 'embedded'
      ? undefined
      : await candidate((await exists(sibling)) ? sibling : undefined, signal)) ??
    (await candidate(await embeddedProgram('ffprobe', env), signal)) ??
    (await candidate(await onPath('ffprobe', env), signal))
  if (path) return path
  throw fail('VID_FFMPEG_MISSING', { program: 'ffprobe', platform: `${process.platform} ${process.arch}` })
}

/** Finds ffmpeg and ffprobe. Precedence: VID_FFMPEG_PATH > `path` > a newer and complete one on PATH > embedded. */
export const findFfmpeg = async (options: FindOptions = {}): Promise<FfmpegTools> => {
  const env = options.env ?? process.env
  options.signal?.throwIfAborted()
  const encoder = await findEncoder(options, env)
  const { path: ffprobe } = await findProbe(options, env, encoder)
  const { version, build, avutil } = encoder.info
  return { ffmpeg: encoder.path, ffprobe, version, build, avutil, source: encoder.source }
}

/**
 * The embedded pair, to check what `tools` encoded: it is statically linked and starts ten times as fast as a system's
 * pair. Undefined without such a pair, when `tools` are that pair, or when the user chose the programs.
 */
export const findEmbedded = async (
  tools: FfmpegTools,
  { env = process.env, signal }: Pick<FindOptions, 'env' | 'signal'> = {},
): Promise<FfmpegTools | undefined> => {
  if (tools.source !== 'system' || env.VID_FFPROBE_PATH) return undefined
  const [encoder, probe] = await Promise.all([
    embeddedProgram('ffmpeg', env).then((path) => candidate(path, signal)),
    embeddedProgram('ffprobe', env).then((path) => candidate(path, signal)),
  ])
  if (!encoder || !probe) return undefined
  const { version, build, avutil } = encoder.info
  return { ffmpeg: encoder.path, ffprobe: probe.path, version, build, avutil, source: 'embedded' }
}
