import { basename, resolve } from 'node:path'
import type { LoadedConfig } from '@vid/config'
import {
  captureGroups,
  checkTarget,
  createKernel,
  type Kernel,
  type PluginOf,
  type SetupOrigin,
  takesRequests,
} from '@vid/kernel'
import {
  checkRequest,
  defined,
  type RenderRequest,
  type RenderRequestInput,
  shapeList,
  shapeName,
  type Warning,
} from '@vid/protocol'
import { fail } from '../errors.ts'
import { chooseOutputs, formatOf, type Output, type OutputRules } from '../outputs/choose-outputs.ts'
import { fillShape, shapeTemplate } from '../outputs/shape-path.ts'
import { refuseSharedPlaces } from '../outputs/shared-places.ts'
import { chooseScale, type RenderSettings, type WantedOutput } from '../settings.ts'
import { checkCaptions } from './captions.ts'
import { checkSettings } from './check-settings.ts'
import type { RenderContext } from './context.ts'
import { chooseDrawing } from './drawing.ts'
import { idleSettings } from './effects.ts'
import { limitNetwork } from './network.ts'
import { checkPosterPlace, choosePosterGroup } from './poster.ts'
import { loadProjectConfig } from './project-config.ts'

/** One request for each capture, in the order of their first formats. */
export type Requests = readonly [RenderRequestInput, ...RenderRequestInput[]]

/** Options that differ between renders of the same settings. */
export interface RowSettings {
  readonly variables: Readonly<Record<string, unknown>> | undefined
  /** Name of the file when no path is composition. */
  readonly name: string
  readonly output: string | undefined
  /** One of the requested shapes; the only one if left out. */
  readonly shape?: string
}

/** Settings on top of the configuration, ready to render. */
export interface PreparedRender {
  readonly config: LoadedConfig
  readonly kernel: Kernel
  /** Absolute folder of the composition. */
  readonly projectDir: string
  /** Shapes to render, each by requests of its own; empty for the composition as it is written. */
  readonly shapes: readonly string[]
  /** Outputs that cannot share frames are rendered one after another; of several shapes, those of the first. */
  readonly requests: Requests
  /** The same settings with other values and paths, for a row of a batch. */
  requestsFor(row: RowSettings): Promise<{ readonly requests: Requests; readonly warnings: readonly Warning[] }>
  readonly warnings: readonly Warning[]
  /** Sources of the request's values that do not come from the configuration. */
  readonly sources: Readonly<Record<string, string>>
}

/** The requested rate setting, which replaces one of the other kind in the config. */
const chooseRate = (
  settings: Pick<RenderSettings, 'crf' | 'videoBitrate'>,
  merged: Pick<Partial<RenderRequest>, 'crf' | 'videoBitrate'>,
) => {
  if (settings.videoBitrate !== undefined) return { videoBitrate: settings.videoBitrate }
  const { crf, videoBitrate } = merged
  return {
    ...(crf !== undefined && { crf }),
    ...(settings.crf === undefined && videoBitrate !== undefined && { videoBitrate }),
  }
}

/** The requested files, and whether the format was inferred from the output's extension. */
const chooseWanted = (
  settings: RenderSettings,
  merged: LoadedConfig['render'],
  encoders: readonly PluginOf<'encoder'>[],
): { readonly outputs: readonly WantedOutput[]; readonly isInferred: boolean } => {
  const listed = merged.outputs
  const inferred = settings.format === undefined && !listed ? formatOf(settings.output, encoders) : undefined
  const formats = (inferred ?? merged.format ?? 'mp4').split(',').map((format) => format.trim())
  return {
    outputs: listed ?? [...new Set(formats)].map((format) => ({ format })),
    isInferred: inferred !== undefined,
  }
}

/** An output in a shape: of several, each has a path with its name. */
const shapedOutput = (item: WantedOutput, shape: string | undefined, isOneOfSeveral: boolean): WantedOutput => {
  if (shape === undefined || item.output === undefined) return item
  return { ...item, output: fillShape(isOneOfSeveral ? shapeTemplate(item.output) : item.output, shape) }
}

const originOf = ({ file, preset, setup }: LoadedConfig, { fresh = false }: RenderSettings): SetupOrigin => ({
  file,
  preset,
  fresh,
  cache: setup.store !== undefined,
})

/** What all requests of a render have in common, whichever their formats and rows. */
const commonOf = (
  settings: RenderSettings,
  config: Awaited<ReturnType<typeof loadProjectConfig>>['render'],
  context: RenderContext,
) => {
  const {
    crf,
    videoBitrate,
    scale,
    resolution,
    poster: _poster,
    format: _format,
    outputs: _outputs,
    ...render
  } = config
  return {
    ...render,
    ...chooseRate(settings, { ...defined({ crf, videoBitrate }) }),
    ...chooseScale(settings, { ...defined({ scale, resolution }) }),
    ...limitNetwork(settings.network, render.network, context),
    ...chooseDrawing(settings, render, context),
    // Setting one of the two replaces the other in the config.
    ...(settings.sdr && { hdr: false }),
    ...(settings.hdr && { sdr: false }),
  }
}

/** Where the values come from that a message may have to name. */
const sourcesOf = (
  { output, entry, variables }: RenderSettings,
  isFormatInferred: boolean,
  spelling: RenderContext['spelling'],
): PreparedRender['sources'] => ({
  projectDir: spelling.source('projectDir'),
  ...(output !== undefined && { output: spelling.source('output') }),
  ...(isFormatInferred && { format: spelling.source('output') }),
  ...(entry !== undefined && { entry: spelling.source('entry') }),
  ...(variables && { variables: spelling.source('variables') }),
})

/** What the requests of each row are made of. */
interface RowParts {
  readonly common: ReturnType<typeof commonOf>
  readonly outputs: readonly WantedOutput[]
  /** Formats that share frames; one request each. */
  readonly groups: readonly (readonly string[])[]
  readonly shapes: readonly string[]
  readonly rules: OutputRules
  /** The poster of the config, and the index of the group that makes it. */
  readonly poster: { readonly value: RenderRequest['poster']; readonly group: number }
  readonly composition: {
    readonly projectDir: string
    readonly entry: string | undefined
    readonly force: boolean | undefined
  }
  readonly encoders: readonly PluginOf<'encoder'>[]
  readonly cwd: string
  /** Refuses requests that cannot be rendered, before the first of them is. */
  check(requests: readonly RenderRequestInput[]): void
}

const createRequestsFor =
  ({
    common,
    outputs,
    groups,
    shapes,
    rules,
    poster,
    composition,
    encoders,
    cwd,
    check,
  }: RowParts): PreparedRender['requestsFor'] =>
  async ({ shape = shapes[0], ...row }) => {
    const requested = row.output === undefined ? outputs : outputs.map((item) => ({ ...item, output: row.output }))
    const chosen = await chooseOutputs({
      outputs: requested.map((item) => shapedOutput(item, shape, shapes.length > 1)),
      name: shape === undefined ? row.name : `${row.name}-${shapeName(shape)}`,
      encoders,
      cwd,
      rules,
    })
    if (poster.value !== undefined) await checkPosterPlace(chosen.outputs, encoders, rules)
    const requestOf = (group: readonly string[], index: number): RenderRequestInput => {
      const [first, ...others] = chosen.outputs.filter(({ format }) => group.includes(format))
      const { format, path } = first as Output
      const more = others.map((other) => ({ format: other.format, output: other.path }))
      return {
        ...common,
        ...(shape !== undefined && { shapes: shape }),
        ...(poster.value !== undefined && index === poster.group && { poster: poster.value }),
        projectDir: composition.projectDir,
        ...(composition.force && { force: true }),
        ...(composition.entry !== undefined && { entry: composition.entry }),
        format,
        output: path,
        ...(more.length > 0 && { outputs: more }),
        variables: { ...common.variables, ...row.variables },
      }
    }
    const requests = groups.map(requestOf) as [RenderRequestInput, ...RenderRequestInput[]]
    check(requests)
    return { requests, warnings: chosen.warnings }
  }

/** Loads the configuration and turns settings into requests; nothing is started yet. */
export const prepareRender = async (
  settings: RenderSettings,
  context: RenderContext,
  /**
   * The output of a batch is a template: it names the format, and is checked once a row has filled it; `writes` is
   * false when nothing will be delivered. Several shapes are refused unless `takesShapes`.
   */
  {
    isTemplate = false,
    writes = true,
    takesShapes = false,
  }: { readonly isTemplate?: boolean; readonly writes?: boolean; readonly takesShapes?: boolean } = {},
): Promise<PreparedRender> => {
  checkSettings(settings)
  const { cwd, spelling } = context
  const { projectDir: folder = '.', entry, output, variables, outputs: listed, inputs = [], ...requested } = settings
  const projectDir = resolve(cwd, folder)
  const layer = { ...defined(requested), ...(listed && { outputs: listed as RenderRequest['outputs'] }) }
  const config = await loadProjectConfig(projectDir, layer, context)
  const kernel = createKernel({ ...config.setup, origin: originOf(config, settings) })
  const { encoders } = config.setup
  const { poster } = config.render
  const shapes = shapeList(config.render.shapes)
  if (shapes.length > 1 && !takesShapes) throw fail('VID_SHAPES_SEVERAL', { shapes })
  const common = commonOf(settings, config.render, context)
  const { outputs, isInferred } = chooseWanted(settings, config.render, encoders)
  const formats = outputs.map(({ format }) => format)
  checkCaptions(common, formats, encoders)
  const groups = captureGroups(encoders, formats, common.fps ?? 30)
  const posterGroup = choosePosterGroup(settings.poster, groups, encoders)
  const rules = {
    force: settings.force === true,
    projectDir,
    inputs: [
      resolve(projectDir, entry ?? 'index.html'),
      ...(config.file === undefined ? [] : [config.file]),
      ...inputs.map((path) => resolve(cwd, path)),
    ],
    isWritten: writes && (config.setup.deliveries ?? []).some(({ writesOutput }) => writesOutput),
    isFormatChosen: settings.format !== undefined || config.render.outputs !== undefined,
  }
  const requestsFor = createRequestsFor({
    common,
    outputs,
    groups,
    shapes,
    rules,
    poster: { value: poster, group: posterGroup },
    composition: { projectDir, entry, force: settings.force },
    encoders,
    cwd,
    check(requests) {
      if (!writes) return
      refuseSharedPlaces(config.setup.deliveries ?? [], requests)
      if (takesRequests(config.setup.target))
        for (const request of requests) checkTarget(config.setup.target, checkRequest(request))
    },
  })
  const name = basename(projectDir) || 'video'
  const { requests, warnings } = await requestsFor({
    variables,
    name,
    output: isTemplate ? undefined : output,
  })
  return {
    config,
    kernel,
    projectDir,
    shapes,
    requests,
    requestsFor,
    sources: sourcesOf(settings, isInferred, spelling),
    warnings: [
      ...config.warnings,
      ...config.warningsOf(formats),
      ...idleSettings(requested, formats, encoders, spelling),
      ...warnings,
    ],
  }
}
