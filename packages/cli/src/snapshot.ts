import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { placeArtifact } from '@vid/delivery'
import { checkRequest, createKernel, describeCause, isVidError, type VidError } from '@vid/kernel'
import { fail } from './errors.ts'
import { checkFlags, type GivenFlags, throwErrors } from './flag-check.ts'
import type { CliContext } from './flag-command.ts'
import { shortPath } from './output.ts'
import { createReport } from './report.ts'
import { defined, loadProjectConfig } from './setup.ts'
import { snapshotConflicts, snapshotFlags } from './snapshot-flags.ts'
import { STILL_FORMAT, stillEncoder } from './still-encoder.ts'
import { spreadStills, stillsAt } from './still-frames.ts'
import { readVariables } from './variables.ts'

/** Puts a still into its place, whole or not at all. */
const placeStill = async (from: string, to: string, signal: AbortSignal): Promise<void> => {
  try {
    await placeArtifact(from, to, signal)
  } catch (cause) {
    signal.throwIfAborted()
    throw fail('VID_SNAPSHOT_UNWRITABLE', { path: to, reason: describeCause(cause) }, { cause })
  }
}

/** The folder for the stills; refused, before any work, where a file is in its place. */
const chooseFolder = async (wanted: string, cwd: string): Promise<string> => {
  const folder = resolve(cwd, wanted)
  const found = await stat(folder).catch(() => undefined)
  if (found && !found.isDirectory())
    throw fail('VID_OUTPUT_KIND', { path: wanted, found: 'a file', format: 'a snapshot' })
  return folder
}

const readFlags = async (given: GivenFlags, cwd: string) => {
  const { values: flags, errors } = checkFlags(snapshotFlags, given, { conflicts: snapshotConflicts })
  const problems: VidError[] = [...errors]
  const variables = await readVariables(flags, cwd).catch((thrown: unknown) => {
    if (!isVidError(thrown)) throw thrown
    problems.push(thrown)
    return {}
  })
  throwErrors(problems)
  return { flags, variables }
}

/** `vid snapshot`: writes single frames as PNG files, each drawn as a render would draw it. */
export const runSnapshot = async (dir: string, given: GivenFlags, context: CliContext): Promise<void> => {
  const { cwd, signal } = context
  const { flags, variables } = await readFlags(given, cwd)
  const report = createReport({ ...context, json: flags.json === true, quiet: flags.quiet === true })
  const projectDir = resolve(cwd, dir)
  const asked = { preset: flags.preset, fps: flags.fps, strictVariables: flags['strict-variables'] }
  // A still is looked at because something changed: it is drawn now.
  const off = { cache: false }
  const { setup, render } = await loadProjectConfig(projectDir, { ...defined(asked), ...off }, context)
  const folder = await chooseFolder(flags.output ?? join('snapshots', basename(projectDir) || 'video'), cwd)
  const request = checkRequest({
    projectDir,
    output: folder,
    format: STILL_FORMAT,
    sdr: true,
    ...(flags.composition !== undefined && { entry: flags.composition }),
    ...defined({ fps: render.fps, strictVariables: render.strictVariables }),
    variables: { ...render.variables, ...variables },
  })
  const kernel = createKernel({ ...setup, encoders: [{ ...stillEncoder(), alpha: flags.alpha === true }] })
  signal.throwIfAborted()
  const run = await kernel.open({
    projectDir,
    signal,
    onEvent: (event) => event.type === 'warning' && report.warn(event.warning),
  })
  try {
    const planned = await run.plan(request)
    const stills =
      flags.at === undefined ? spreadStills(flags.frames ?? 5, planned) : stillsAt(flags.at, planned)
    // Forwards, so that one page shows them all.
    const frames = [...new Set(stills.map(({ frame }) => frame))].sort((a, b) => a - b)
    const plan = { ...planned, segments: frames.map((start, index) => ({ index, start, frames: 1 })) }
    const files = new Map<number, string>()
    for (const [index, frame] of frames.entries())
      files.set(frame, (await run.renderSegment(plan, index)).file)
    const snapshots = []
    for (const { frame, name } of stills) {
      const path = join(folder, `${name}.png`)
      await placeStill(files.get(frame) ?? '', path, signal)
      snapshots.push({ path, frame, time: frame / plan.fps })
    }
    const { width, height } = plan
    report.event({ type: 'snapshot-complete', width, height, snapshots, warnings: run.warnings })
    for (const { path } of snapshots) report.result(shortPath(path, cwd))
  } finally {
    await run.close()
  }
}
