import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type OpenRender, placeArtifact, retryMachineFaults } from '@vid/kernel'
import { describeCause, kernelWarning, type RenderPlan, secondsOf, type Warning } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { CompositionSettings } from '../open/composition-request.ts'
import { type CompositionOptions, type OpenComposition, withComposition } from '../open/open-composition.ts'
import { checkPlace } from '../outputs/place.ts'
import { checkSources } from '../outputs/sources.ts'
import type { RenderContext } from '../prepare/context.ts'
import { type Still, spreadStills, stillsAt } from './still-frames.ts'

/** Which stills to take of a composition, and where to put them. */
export interface StillSettings extends CompositionSettings {
  /** Folder of the stills, from the current folder; `snapshots/<name>` if left out. */
  readonly output?: string
  /** Folder of the project that this one is a copy of: the stills are beside it, and over none of its sources. */
  readonly copyOf?: string
  /** Times such as `1s,2.5s,50%`. */
  readonly at?: string
  /** How many, spread evenly over the length; 5 if neither this nor `at` is set. */
  readonly count?: number
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
export interface StillOptions extends CompositionOptions {
  /** Called with the frames that are captured, and how many there are; first with none, once they are known. */
  onProgress?(captured: number, total: number): void
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

/** Captures the stills of an open composition, and places them once all are captured. */
const captureStills = async (
  { run, plan, request, config }: OpenComposition,
  { settings, folder, cwd }: { readonly settings: StillSettings; readonly folder: string; readonly cwd: string },
  options: StillOptions,
): Promise<Omit<Snapshots, 'warnings'>> => {
  const { signal } = options
  const { at, count = 5, copyOf: projectDir = request.projectDir } = settings
  const stills = at === undefined ? spreadStills(count, plan) : stillsAt(at, plan)
  const placed = stills.map(({ frame, name }) => ({ frame, path: join(folder, `${name}.png`) }))
  const inputs = [request.entry, ...(settings.inputs ?? []).map((path) => resolve(cwd, path))]
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
    { ...request, projectDir },
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
  return { width, height, snapshots }
}

/** Writes single frames as PNG files, each drawn as a render would draw it. */
export const takeStills = async (
  settings: StillSettings,
  context: RenderContext,
  options: StillOptions,
): Promise<Snapshots> => {
  const { cwd } = context
  const { projectDir = '.', copyOf = projectDir } = settings
  const output = settings.output ?? join('snapshots', basename(resolve(cwd, copyOf)) || 'video')
  const folder = await chooseFolder(output, cwd)
  const { result, warnings } = await withComposition({ ...settings, output: folder }, context, options, (composition) =>
    captureStills(composition, { settings, folder, cwd }, options),
  )
  return { ...result, warnings }
}
