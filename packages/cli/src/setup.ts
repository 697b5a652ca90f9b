import { basename, resolve } from 'node:path'
import type { LoadedConfig, loadConfig } from '@vid/config'
import {
  captureGroups,
  createKernel,
  isVidError,
  type Kernel,
  type PluginOf,
  type RenderRequestInput,
  type Warning,
} from '@vid/kernel'
import type { FlagValues } from './flag.ts'
import { checkEffects, checkFlags, type GivenFlags, throwErrors } from './flag-check.ts'
import { chooseOutputs, formatOf, type Output } from './output.ts'
import { renderConflicts, renderFlags, renderNeeds } from './render-flags.ts'
import { readVariables } from './variables.ts'

type Requests = readonly [RenderRequestInput, ...RenderRequestInput[]]

/** What sets one render apart from others of the same flags. */
export interface RowRequest {
  readonly variables: Readonly<Record<string, unknown>> | undefined
  /** Name of the file when no path is given. */
  readonly name: string
  readonly output: string | undefined
}

/** What the command line asks for, on top of the configuration. */
export interface Setup {
  readonly config: LoadedConfig
  readonly kernel: Kernel
  /** Absolute folder of the composition. */
  readonly projectDir: string
  readonly flags: FlagValues<typeof renderFlags>
  /** One for each capture: outputs that cannot share frames are rendered one after another. */
  readonly requests: Requests
  /** The same for other values and paths, as a row of a batch has them. */
  requestsFor(
    row: RowRequest,
  ): Promise<{ readonly requests: Requests; readonly warnings: readonly Warning[] }>
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

/** Warns of formats that could be transparent and are not, because they share a capture with one that cannot. */
const opaqueOutputs = (encoders: readonly PluginOf<'encoder'>[], requests: Requests): Warning[] =>
  requests.flatMap(({ format: first = 'mp4', outputs = [] }) => {
    const formats = [first, ...outputs.map(({ format }) => format)]
    const alphaOf = (format: string) => encoders.find((each) => each.formats.includes(format))?.alpha
    const solid = formats.find((format) => !alphaOf(format))
    return solid === undefined
      ? []
      : formats
          .filter((format) => alphaOf(format) === 'optional')
          .map((format) => ({
            code: 'VID_OUTPUT_OPAQUE',
            message: `the ${format} is not transparent, since it is made of the frames of the ${solid}`,
            hint: `render it with --format ${format} alone to keep its transparency`,
          }))
  })

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
      gifLoop: flags['gif-loop'],
      workers: flags.workers,
      strictVariables: flags['strict-variables'],
      videoFrameFormat: flags['video-frame-format'],
      strict: flags.strict,
      hdr: flags.hdr,
      sdr: flags.sdr,
      gpu: flags.gpu,
      cache: flags.cache,
      fresh: flags.fresh,
    }),
    context,
  )
  const kernel = createKernel(loaded.setup)
  const { encoders } = loaded.setup
  const { crf, videoBitrate, format: set = 'mp4', outputs: listed, ...render } = loaded.render
  // Who names a file without a format means the format of that file.
  const named = flags.format === undefined && !listed ? formatOf(flags.output, encoders) : undefined
  const format = named ?? set
  const wanted = listed ?? [...new Set(format.split(','))].map((each) => ({ format: each.trim() }))
  const formats = wanted.map((each) => each.format)
  const effects = checkEffects(renderFlags, flags, formats)
  throwErrors(effects.errors)
  // A flag for one kind of rate control outweighs the other kind in the config.
  const rate =
    flags['video-bitrate'] !== undefined
      ? { videoBitrate: flags['video-bitrate'] }
      : {
          ...(crf !== undefined && { crf }),
          ...(flags.crf === undefined && videoBitrate && { videoBitrate }),
        }
  const requestsFor: Setup['requestsFor'] = async ({ variables, name, output }) => {
    const chosen = await chooseOutputs({
      wanted: output === undefined ? wanted : wanted.map((each) => ({ ...each, output })),
      ...{ name, encoders, cwd },
    })
    const requestOf = (group: readonly string[]): RenderRequestInput => {
      const [own, ...others] = chosen.outputs.filter(({ format }) => group.includes(format))
      const outputs = others.map(({ format, path }) => ({ format, output: path }))
      const { format, path } = own as Output
      return {
        ...render,
        ...rate,
        // One of the two as a flag outweighs the other in the config.
        ...(flags.sdr && { hdr: false }),
        ...(flags.hdr && { sdr: false }),
        projectDir,
        ...(flags.composition !== undefined && { entry: flags.composition }),
        ...{ format, output: path },
        ...(outputs.length > 0 && { outputs }),
        variables: { ...render.variables, ...variables },
      }
    }
    const [first = [], ...rest] = captureGroups(encoders, formats, render.fps ?? 30)
    return { requests: [requestOf(first), ...rest.map(requestOf)], warnings: chosen.warnings }
  }
  // The output of a batch is a template, which is not looked at before its rows are.
  const name = basename(projectDir) || 'video'
  const output = flags.batch === undefined ? flags.output : undefined
  const { requests, warnings } = await requestsFor({ variables, name, output })
  return {
    config: loaded,
    kernel,
    ...{ projectDir, flags, requests, requestsFor },
    sources: {
      projectDir: 'argument',
      ...(flags.output !== undefined && { output: 'flag --output' }),
      ...(named !== undefined && { format: 'flag --output' }),
      ...(flags.composition !== undefined && { entry: 'flag --composition' }),
      ...(variables && { variables: `flag --variables${flags.variables === undefined ? '-file' : ''}` }),
    },
    warnings: [...effects.warnings, ...warnings, ...opaqueOutputs(encoders, requests)],
  }
}
