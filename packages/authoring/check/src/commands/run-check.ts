import { join, resolve } from 'node:path'
import { type ChosenState, compositionSettings, lookAtComposition } from '@vid/analysis/options'
import { type CommandRun, countedProgress } from '@vid/command'
import { codedError, openContext, placeOutput, type Renderer } from '@vid/render'
import { type CheckedProject, checkProject, type ProjectCheck } from '../check-project.ts'
import type { CheckRunOptions } from '../check-runs.ts'
import type { CheckFinding, CheckResult } from '../events.ts'
import { readBaseline, writeBaseline } from '../findings/baseline.ts'
import { drawCheckSheet } from '../findings/check-sheet.ts'
import { type FindingsView, findingLines } from '../findings/check-text.ts'
import { mendCommand } from '../findings/mend-command.ts'
import { sarifOf } from '../findings/sarif.ts'
import { writeResult } from '../findings/write-result.ts'
import { compareFindings } from '../watch/compare-findings.ts'
import { watchCheck } from '../watch/watch-check.ts'
import type { checkOptions } from './options.ts'

type Run = CommandRun<typeof checkOptions, { readonly dir: string }>

const namesIn = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

const settingsIn = async (run: Run, projectDir: string): Promise<ProjectCheck> => {
  const { cwd, options, signal } = run
  const { rule, skip, safe, loudness, batch, baseline, force } = options
  return {
    composition: { ...compositionSettings(run, projectDir), ...(force && { force }) },
    only: namesIn(rule),
    skip: namesIn(skip),
    ...(safe !== undefined && { safe }),
    ...(loudness !== undefined && { loudness: Number(loudness) }),
    ...(batch !== undefined && { batch }),
    extremes: options['variables-extremes'] === true,
    ...(baseline !== undefined && { isOld: await readBaseline(resolve(cwd, baseline), baseline, signal) }),
  }
}

/** The path of the sheet, checked before anything is drawn. */
const placeSheet = async ({ cwd, options, arguments: { dir } }: Run): Promise<string | undefined> => {
  const { sheet, force = false, composition = 'index.html' } = options
  if (sheet === undefined) return undefined
  const projectDir = resolve(cwd, dir)
  const inputs = [join(projectDir, composition)]
  const rules = { output: sheet, format: 'png', formats: ['png'], isFormatChosen: true, force, inputs, projectDir }
  return (await placeOutput(rules, cwd)).path
}

/** Reports what is new and what is mended. */
const reportChanges = (run: Run, result: CheckResult, before: CheckResult | undefined): void => {
  const {
    report,
    paint,
    json,
    arguments: { dir },
    options: { composition },
  } = run
  if (json) {
    report.event({ type: 'check', ...result })
    return
  }
  const { added, mended } = compareFindings(before?.findings ?? [], result.findings)
  const view: FindingsView = { paint, mendText: (mend) => mendCommand(mend, { dir, composition }) }
  const lines = (findings: readonly CheckFinding[]) => findings.flatMap((finding) => findingLines(finding, view))
  for (const line of lines(added)) report.result(line)
  for (const { rule, where } of mended)
    report.result(`  ${paint('good', 'mended')}   ${rule}${where.element === null ? '' : ` at ${where.element}`}`)
  if (before === undefined) report.note(`${result.findings.length} findings; watching for changes, Ctrl-C ends it`)
  else report.note(`${added.length} new, ${mended.length} mended, ${result.findings.length} in all`)
}

/** Writes what is made of the findings beside the text. */
const writeAll = async (
  run: Run,
  renderer: Renderer,
  checked: CheckedProject,
  settings: ProjectCheck,
  signal: AbortSignal,
) => {
  const { cwd, env, options } = run
  const { result, rules, runs } = checked
  const { sarif, width = 1568, composition: entry = 'index.html' } = options
  if (options['write-baseline'] !== undefined)
    await writeBaseline(resolve(cwd, options['write-baseline']), result.findings, signal)
  if (sarif !== undefined)
    await writeResult(resolve(cwd, sarif), `${JSON.stringify(sarifOf(result, { rules, entry }), null, 2)}\n`, signal)
  const output = await placeSheet(run)
  if (output === undefined) return result
  const drawing = { composition: settings.composition, runs, findings: result.findings, width, output, env }
  return { ...result, sheet: [...(await drawCheckSheet(renderer, drawing, signal))] }
}

/** `vid check`: what is wrong in a composition; undefined when it has watched until it was stopped. */
export const runCheck = (run: Run) =>
  lookAtComposition(run, run.arguments.dir, async (renderer, state: ChosenState): Promise<CheckResult | undefined> => {
    const { cwd, env, options, report, spelling, unguarded } = run
    const { projectDir, configFrom, signal } = state
    const settings = await settingsIn(run, projectDir)
    await placeSheet(run)
    const context = await openContext({ cwd, env, spelling, loading: unguarded, configFrom })
    const counted = countedProgress(run.progress, {
      doing: 'checking',
      text: (done, total) => `${done}/${total} frames`,
    })
    const onProgress = run.progress.isLive ? counted : () => {}
    const kept: CheckRunOptions['kept'] = options.watch ? new Map() : undefined
    const check = async (checkSignal: AbortSignal) => {
      const reading = { signal: checkSignal, onProgress, ...(kept && { kept }) }
      const checked = await checkProject(renderer, settings, context, reading)
      run.progress.clear()
      return checked
    }
    if (!options.watch) return writeAll(run, renderer, await check(signal), settings, signal)
    await watchCheck({
      projectDir,
      signal,
      check: async (checkSignal) => (await check(checkSignal)).result,
      onResult: (result, before) => reportChanges(run, result, before),
      onFailure: (thrown) => report.error(codedError(thrown, signal)),
    })
    return undefined
  })
