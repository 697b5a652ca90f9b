import { resolve } from 'node:path'
import { readDeclaredShapes } from '@vid/core'
import { shapeList } from '@vid/protocol'
import {
  type CompositionSettings,
  loadProjectConfig,
  type RenderContext,
  type Renderer,
  readVariableRows,
} from '@vid/render'
import { type CheckRunOptions, checkResult, checkRuns } from './check-runs.ts'
import type { CheckResult } from './events.ts'
import { withDigests } from './findings/mend-digests.ts'
import { type ChosenRule, chooseRules } from './rules/choose-rules.ts'
import { readExtremes } from './variables/extreme-values.ts'
import { inShapes, type VariedRun } from './variables/varied-run.ts'

/** What `vid check` is asked for. */
export interface ProjectCheck {
  readonly composition: CompositionSettings
  /** Only these rules, where any are named; never those that are skipped. */
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  /** Area that text must stay in: a name, or `x,y,width,height`. */
  readonly safe?: string
  /** LUFS that the video must have. */
  readonly loudness?: number
  /** Whether the composition is shown with the extremes of its variables too. */
  readonly extremes?: boolean
  /** A table or JSON with rows of a batch: the composition is shown with the values of each row too. */
  readonly batch?: string
  /** Reports of a finding whether it is old, and left out. */
  isOld?(finding: CheckResult['findings'][number]): boolean
}

/** A check, and what it was made with. */
export interface CheckedProject {
  readonly result: CheckResult
  readonly rules: readonly ChosenRule[]
  readonly runs: readonly VariedRun[]
}

/** A setting of the config with options of the caller above it. */
const withOptions = (setting: unknown, options: object) => ({
  ...(typeof setting === 'string' ? { level: setting } : (setting as object | undefined)),
  ...options,
})

const readRules = async (
  { composition, only = [], skip = [], safe, loudness }: ProjectCheck,
  context: RenderContext,
): Promise<readonly ChosenRule[]> => {
  const { checks, check } = await loadProjectConfig(resolve(context.cwd, composition.projectDir ?? '.'), {}, context)
  const settings: Record<string, unknown> = { ...check }
  if (safe !== undefined)
    for (const rule of ['text-safe-area', 'caption-safe-area'])
      settings[rule] = withOptions(check[rule], { area: safe })
  if (loudness !== undefined) settings.loudness = withOptions(check.loudness, { target: loudness })
  return chooseRules({ checks, settings, only, skip })
}

/** The values with which the composition is shown, those that it has first, in each shape that it declares. */
const readRuns = async (
  { composition, extremes, batch }: ProjectCheck,
  { cwd }: RenderContext,
  signal: AbortSignal,
): Promise<readonly VariedRun[]> => {
  const usual: VariedRun = { name: null, variables: {} }
  const projectDir = resolve(cwd, composition.projectDir ?? '.')
  const outermost = extremes ? await readExtremes(projectDir, composition.entry ?? 'index.html', signal) : []
  const place = { projectDir, ...(composition.entry !== undefined && { entry: composition.entry }) }
  const rows = batch === undefined ? [] : await readVariableRows(batch, place, { cwd, signal })
  const runs = [usual, ...outermost, ...rows.map(({ number, variables }) => ({ name: `row ${number}`, variables }))]
  if (composition.shapes !== undefined) return inShapes(runs, shapeList(composition.shapes))
  return inShapes(runs, await readDeclaredShapes(projectDir, composition.entry ?? 'index.html', signal))
}

/** Checks the composition of a folder by the rules of its config, as `vid check` does. */
export const checkProject = async (
  renderer: Renderer,
  settings: ProjectCheck,
  context: RenderContext,
  options: CheckRunOptions,
): Promise<CheckedProject> => {
  const rules = await readRules(settings, context)
  const runs = await readRuns(settings, context, options.signal)
  const composition = {
    ...settings.composition,
    projectDir: resolve(context.cwd, settings.composition.projectDir ?? '.'),
  }
  const checked = await checkRuns(renderer, { composition, rules, runs }, options)
  return { result: await withDigests(checkResult(checked, settings.isOld), composition.projectDir), rules, runs }
}
