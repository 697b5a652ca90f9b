import { basename, resolve } from 'node:path'
import type { LoadedConfig, loadConfig } from '@vid/config'
import { createKernel, isVidError, type Kernel, type RenderRequestInput, type Warning } from '@vid/kernel'
import { checkEffects, checkFlags, type GivenFlags, throwErrors } from './flag-check.ts'
import { chooseOutput } from './output.ts'
import { renderConflicts, renderFlags, renderNeeds } from './render-flags.ts'
import { readVariables } from './variables.ts'

/** What the command line asks for, on top of the configuration. */
export interface Setup {
  readonly config: LoadedConfig
  readonly kernel: Kernel
  readonly request: RenderRequestInput
  readonly warnings: readonly Warning[]
  /** Where those values of the request come from that the configuration does not hold. */
  readonly sources: Readonly<Record<string, string>>
}

/** What was written, without what was not. */
export const defined = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

/** Checks all flags and reads the variables; everything that is wrong is thrown as one error. */
export const checkRenderFlags = async (given: GivenFlags, cwd: string) => {
  const { values: flags, errors } = checkFlags(renderFlags, given, {
    conflicts: renderConflicts,
    needs: renderNeeds,
  })
  const problems = [...errors]
  const variables = await readVariables(flags, cwd).catch((thrown: unknown) => {
    if (!isVidError(thrown)) throw thrown
    problems.push(thrown)
    return {}
  })
  throwErrors(problems)
  return { flags, variables }
}

/** Loads the configuration of a project, with what flags say above it. */
export const loadProjectConfig = async (
  projectDir: string,
  flags: Parameters<typeof loadConfig>[0]['flags'],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<LoadedConfig> => {
  const [{ loadConfig }, { standard }, { social }, { alpha }] = await Promise.all([
    import('@vid/config'),
    import('@vid/preset-standard'),
    import('@vid/preset-social'),
    import('@vid/preset-alpha'),
  ])
  const builtin = [standard(), ...social(), ...alpha()]
  return loadConfig({ from: [projectDir, cwd], builtin, env, ...(flags && { flags }) })
}

/** Loads the configuration and turns flags into a request; nothing is started yet. */
export const openSetup = async (
  dir: string,
  given: GivenFlags,
  context: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Setup> => {
  const { cwd } = context
  const { flags, variables } = await checkRenderFlags(given, cwd)
  const projectDir = resolve(cwd, dir)
  const loaded = await loadProjectConfig(
    projectDir,
    defined({
      preset: flags.preset,
      target: flags.target,
      format: flags.format,
      fps: flags.fps,
      quality: flags.quality,
      crf: flags.crf,
      videoBitrate: flags['video-bitrate'],
      workers: flags.workers,
      strictVariables: flags['strict-variables'],
      videoFrameFormat: flags['video-frame-format'],
      strict: flags.strict,
    }),
    context,
  )
  const kernel = createKernel(loaded.setup)
  const { crf, videoBitrate, ...render } = loaded.render
  const format = render.format ?? 'mp4'
  const effects = checkEffects(renderFlags, flags, format)
  throwErrors(effects.errors)
  const output = await chooseOutput({
    wanted: flags.output,
    name: basename(projectDir) || 'video',
    format,
    encoders: loaded.setup.encoders,
    cwd,
  })
  // A flag for one kind of rate control outweighs the other kind in the config.
  const rate =
    flags['video-bitrate'] !== undefined
      ? { videoBitrate: flags['video-bitrate'] }
      : {
          ...(crf !== undefined && { crf }),
          ...(flags.crf === undefined && videoBitrate && { videoBitrate }),
        }
  return {
    config: loaded,
    kernel,
    request: {
      ...render,
      ...rate,
      projectDir,
      output: output.path,
      format,
      ...(flags.composition !== undefined && { entry: flags.composition }),
      variables: { ...render.variables, ...variables },
    },
    sources: {
      projectDir: 'argument',
      ...(flags.output !== undefined && { output: 'flag --output' }),
      ...(flags.composition !== undefined && { entry: 'flag --composition' }),
      ...(variables && { variables: `flag --variables${flags.variables === undefined ? '-file' : ''}` }),
    },
    warnings: [...effects.warnings, ...output.warnings],
  }
}
