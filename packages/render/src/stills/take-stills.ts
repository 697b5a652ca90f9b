import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import {
  checkRequest,
  createKernel,
  describeCause,
  type EventOf,
  type KernelSetup,
  kernelWarning,
  type OpenRender,
  placeArtifact,
  type RenderPlan,
  type RenderRequest,
  retryMachineFaults,
  type SharedPool,
  secondsOf,
  type Warning,
} from '@vid/kernel'
import { offLostGpu } from '../concurrency/gpu-fallback.ts'
import { fail } from '../errors.ts'
import { requireLint } from '../lint/lint-before-render.ts'
import { checkPlace } from '../outputs/place.ts'
import { checkSources } from '../outputs/sources.ts'
import type { RenderContext } from '../prepare/context.ts'
import { chooseDrawing } from '../prepare/drawing.ts'
import { limitNetwork } from '../prepare/network.ts'
import { loadProjectConfig } from '../prepare/project-config.ts'
import { chooseScale, defined, type RenderSettings } from '../settings.ts'
import { STILL_FORMAT, stillEncoder } from './still-encoder.ts'
import { type Still, spreadStills, stillsAt } from './still-frames.ts'

/** Which stills to take of a composition, and where to put them. */
export interface StillSettings
  extends Pick<
    RenderSettings,
    | 'browserGpu'
    | 'projectDir'
    | 'raster'
    | 'entry'
    | 'force'
    | 'fps'
    | 'inputs'
    | 'network'
    | 'preset'
    | 'resolution'
    | 'scale'
    | 'strict'
    | 'strictVariables'
    | 'variables'
  > {
  /** Folder of the stills, from the current folder; `snapshots/<name>` if left out. */
  readonly output?: string
  /** Times such as `1s,2.5s,50%`. */
  readonly at?: string
  /** How many, spread evenly over the length; 5 if neither this nor `at` is set. */
  readonly count?: number
  /** Makes what is not drawn transparent. */
  readonly alpha?: boolean
}

/** A written still. */
export interface Snapshot {
  /** Absolute. */
  readonly path: string
  readonly frame: number
  /** Seconds. */
  readonly time: number
}

/** The stills of a composition, in the requested order. */
export interface Snapshots {
  /** Pixels. */
  readonly width: number
  readonly height: number
  readonly snapshots: readonly Snapshot[]
  readonly warnings: readonly Warning[]
}

/** The callbacks of a caller, and how it stops the work. */
export interface StillOptions {
  readonly signal: AbortSignal
  /** Browsers that are shared with other work; their owner closes them. */
  readonly shared?: SharedPool
  onWarning?(warning: Warning): void
  /** Called with the frames that are captured, and how many there are; first with none, once they are known. */
  onProgress?(captured: number, total: number): void
  /** Called with what the page wrote to its console, each message once. */
  onConsole?(event: EventOf<'console'>): void
}

/** Moves a still to its path atomically. */
const placeStill = async (from: string, to: string, signal: AbortSignal): Promise<void> => {
  try {
    await placeArtifact(from, to, signal)
  } catch (cause) {
    signal.throwIfAborted()
    throw fail('VID_SNAPSHOT_UNWRITABLE', { path: to, reason: describeCause(cause) }, { cause })
  }
}

/** The folder for the stills; refused, before any work, where a file is in its place. */
const chooseFolder = async (path: string, cwd: string): Promise<string> => {
  const folder = resolve(cwd, path)
  const stats = await stat(folder).catch(() => undefined)
  if (stats && !stats.isDirectory()) throw fail('VID_OUTPUT_KIND', { path, found: 'a file', format: 'a snapshot' })
  return folder
}

/** Renders the frames of some stills in order, so that one page shows them all; returns each frame's file. */
const renderFrames = async (
  run: OpenRender,
  plan: RenderPlan,
  stills: readonly Still[],
  { signal, onProgress }: Pick<StillOptions, 'signal' | 'onProgress'>,
) => {
  const frames = [...new Set(stills.map(({ frame }) => frame))].sort((a, b) => a - b)
  const segments = frames.map((start, index) => ({ index, start, frames: 1 }))
  const files = new Map<number, string>()
  onProgress?.(0, frames.length)
  for (const [index, frame] of frames.entries()) {
    const render = () => run.renderSegment({ ...plan, segments }, index)
    const onRetry = (reason: string) =>
      run.warn(kernelWarning('VID_SEGMENT_RETRIED', { part: 'frame', index: frame, done: 'captured', reason }))
    files.set(frame, (await retryMachineFaults(render, { signal, onRetry })).file)
    onProgress?.(files.size, frames.length)
  }
  return files
}

const requestOf = async (settings: StillSettings, folder: string, projectDir: string, context: RenderContext) => {
  const { browserGpu, raster, preset, fps, scale, resolution, network } = settings
  const { strict, strictVariables, entry, variables } = settings
  // A still is requested because something changed, so it is always captured again.
  const flags = {
    ...defined({ browserGpu, raster, preset, fps, scale, resolution, network, strict, strictVariables }),
    cache: false,
  }
  const { setup, render, file } = await loadProjectConfig(projectDir, flags, context)
  const request: RenderRequest = checkRequest({
    projectDir,
    output: folder,
    format: STILL_FORMAT,
    sdr: true,
    ...(settings.force && { force: true }),
    ...defined({
      entry,
      fps: render.fps,
      network: render.network,
      strict: render.strict,
      strictVariables: render.strictVariables,
    }),
    ...chooseScale(settings, render),
    ...limitNetwork(undefined, render.network, context),
    ...chooseDrawing({}, render, context),
    variables: { ...render.variables, ...variables },
  })
  return { setup, request, config: file }
}

/** The stills of a checked request, and where they belong. */
interface StillJob {
  readonly settings: StillSettings
  readonly context: RenderContext
  readonly folder: string
  readonly setup: KernelSetup
  /** The config file, which no still may replace. */
  readonly config: string | undefined
}

/** Captures the stills of a request, and places them once all are captured. */
const captureStills = async (
  { settings, context, folder, setup, config }: StillJob,
  request: RenderRequest,
  options: StillOptions,
): Promise<Snapshots> => {
  const { signal, shared, onWarning, onConsole } = options
  const { projectDir } = request
  const kernel = createKernel({
    ...setup,
    encoders: [{ ...stillEncoder(), alpha: settings.alpha === true }],
  })
  signal.throwIfAborted()
  if (request.strict) await requireLint({ requests: [request], kernel }, settings.projectDir ?? '.', signal)
  const run = await kernel.open({
    projectDir,
    signal,
    shared,
    strict: request.strict,
    onEvent(event) {
      if (event.type === 'warning') onWarning?.(event.warning)
      if (event.type === 'console') onConsole?.(event)
    },
  })
  try {
    const plan = await run.plan(request)
    const { at: times, count = 5 } = settings
    const stills = times === undefined ? spreadStills(count, plan) : stillsAt(times, plan)
    const placed = stills.map(({ frame, name }) => ({ frame, path: join(folder, `${name}.png`) }))
    const inputs = [request.entry, ...(settings.inputs ?? []).map((path) => resolve(context.cwd, path))]
    const rules = {
      format: 'png',
      extension: '.png',
      force: request.force,
      projectDir,
      isWritten: true,
      inputs: [...inputs.map((path) => resolve(projectDir, path)), ...(config === undefined ? [] : [config])],
    }
    for (const { path } of placed) await checkPlace(path, path, rules)
    await checkSources(
      placed.map(({ path }) => path),
      plan,
      request,
      signal,
    )
    const files = await renderFrames(run, plan, stills, options)
    // What is reported with the last frame stops a strict capture too.
    run.signal.throwIfAborted()
    const snapshots = []
    for (const { frame, path } of placed) {
      await placeStill(files.get(frame) ?? '', path, signal)
      snapshots.push({ path, frame, time: secondsOf(frame, plan.fps) })
    }
    const { width, height } = plan
    run.reportGroups()
    return { width, height, snapshots, warnings: run.warnings }
  } catch (thrown) {
    throw run.refusal() ?? thrown
  } finally {
    run.reportConsole()
    await run.close()
  }
}

/** Writes single frames as PNG files, each drawn as a render would draw it. */
export const takeStills = async (
  settings: StillSettings,
  context: RenderContext,
  options: StillOptions,
): Promise<Snapshots> => {
  const projectDir = resolve(context.cwd, settings.projectDir ?? '.')
  const output = settings.output ?? join('snapshots', basename(projectDir) || 'video')
  const folder = await chooseFolder(output, context.cwd)
  const { request, ...composition } = await requestOf(settings, folder, projectDir, context)
  const job = { ...composition, settings, context, folder }
  const warnings: Warning[] = []
  const onLoss = (warning: Warning) => {
    warnings.push(warning)
    options.onWarning?.(warning)
  }
  const work = (tried: RenderRequest) => captureStills(job, tried, options)
  const result = await offLostGpu(request, { signal: options.signal, onLoss }, work)
  return { ...result, warnings: [...warnings, ...result.warnings] }
}
