import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type CommandRun, countedProgress } from '@vid/command'
import { filmSettings, withRenderer } from '@vid/film/options'
import type { CheckFinding, FilmCheck } from '@vid/kernel'
import { codedError, loadProjectConfig, openContext, placeOutput, type Renderer, readRows } from '@vid/render'
import { checkFilm, checkResult, type FilmRun } from '../check-film.ts'
import { readBaseline, writeBaseline } from '../findings/baseline.ts'
import { drawCheckSheet } from '../findings/check-sheet.ts'
import { findingLines } from '../findings/check-text.ts'
import { sarifOf } from '../findings/sarif.ts'
import { type ChosenRule, chooseRules } from '../rules/choose-rules.ts'
import { readExtremes } from '../variables/extreme-values.ts'
import { compareFindings } from '../watch/compare-findings.ts'
import { watchCheck } from '../watch/watch-check.ts'
import type { checkOptions } from './options.ts'

type Run = CommandRun<typeof checkOptions, { readonly dir: string }>

const namesIn = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

/** A setting of the config with options of the command line above it. */
const withOptions = (setting: unknown, options: object) => ({
  ...(typeof setting === 'string' ? { level: setting } : (setting as object | undefined)),
  ...options,
})

/** The rules of the config and of the command line. */
const readRules = async (run: Run, projectDir: string): Promise<readonly ChosenRule[]> => {
  const { cwd, env, spelling, unguarded, options } = run
  const context = await openContext({ cwd, env, spelling, loading: unguarded })
  const { checks, check } = await loadProjectConfig(projectDir, {}, context)
  const settings: Record<string, unknown> = { ...check }
  if (options.safe !== undefined)
    settings['text-safe-area'] = withOptions(check['text-safe-area'], { area: options.safe })
  if (options.loudness !== undefined)
    settings.loudness = withOptions(check.loudness, { target: Number(options.loudness) })
  return chooseRules({ checks, settings, only: namesIn(options.rule), skip: namesIn(options.skip) })
}

/** The values with which the film is shown: those that it has, then the others that were asked for. */
const readRuns = async (run: Run, projectDir: string): Promise<readonly FilmRun[]> => {
  const { cwd, signal, options } = run
  const usual: FilmRun = { name: null, variables: {} }
  if (options['variables-extremes'])
    return [usual, ...(await readExtremes(projectDir, options.composition ?? 'index.html', signal))]
  if (options.batch === undefined) return [usual]
  const rows = await readRows(options.batch, cwd, signal)
  return [usual, ...rows.map((variables, index) => ({ name: `row ${index}`, variables }))]
}

/** Everything that a check needs, read once. */
const prepare = async (run: Run, renderer: Renderer) => {
  const { cwd, env, options, arguments: words } = run
  const projectDir = resolve(cwd, words.dir)
  const film = { ...filmSettings(run, words.dir), ...(options.force && { force: options.force }) }
  const rules = await readRules(run, projectDir)
  const inputs = [join(projectDir, options.composition ?? 'index.html')]
  const place = async (output: string | undefined, format: string) =>
    output === undefined
      ? undefined
      : (
          await placeOutput(
            {
              output,
              format,
              formats: [format],
              isFormatChosen: true,
              force: options.force === true,
              inputs,
              projectDir,
            },
            cwd,
          )
        ).path
  const sheet = await place(options.sheet, 'png')
  const progress = countedProgress(run.progress, {
    doing: 'checking',
    text: (done, total) => `${done}/${total} frames`,
  })
  const isOld =
    options.baseline === undefined
      ? undefined
      : await readBaseline(resolve(cwd, options.baseline), options.baseline, run.signal)
  const check = async (signal: AbortSignal): Promise<FilmCheck> => {
    const runs = await readRuns(run, projectDir)
    const onProgress = run.progress.isLive ? progress : () => {}
    const checked = await checkFilm(renderer, { film, rules, runs }, { signal, onProgress })
    run.progress.clear()
    const result = checkResult(checked, isOld)
    if (sheet === undefined) return result
    const drawing = { film, runs, findings: result.findings, width: options.width ?? 1568, output: sheet, env }
    return { ...result, sheet: [...(await drawCheckSheet(renderer, drawing, signal))] }
  }
  return { projectDir, rules, check }
}

/** Reports what is new and what is mended. */
const reportChanges = ({ report, paint, json }: Run, result: FilmCheck, before: FilmCheck | undefined): void => {
  if (json) return report.event({ type: 'check', ...result })
  const { added, mended } = compareFindings(before?.findings ?? [], result.findings)
  const lines = (findings: readonly CheckFinding[]) => findings.flatMap((finding) => findingLines(finding, paint))
  if (before !== undefined)
    report.note(`${added.length} new, ${mended.length} mended, ${result.findings.length} in all`)
  for (const line of lines(added)) report.result(line)
  for (const { rule, where } of mended)
    report.result(`  ${paint('good', 'mended')}   ${rule}${where.element === null ? '' : ` at ${where.element}`}`)
  if (before === undefined) report.note(`${result.findings.length} findings; watching for changes, Ctrl-C ends it`)
}

/** `vid check`: what is wrong in a film. */
export const runCheck = (run: Run) =>
  withRenderer(run, async (renderer): Promise<FilmCheck | undefined> => {
    const { cwd, signal, options, report } = run
    const { projectDir, rules, check } = await prepare(run, renderer)
    if (options.watch) {
      await watchCheck({
        projectDir,
        signal,
        check,
        onResult: (result, before) => reportChanges(run, result, before),
        onFailure: (thrown) => report.error(codedError(thrown, signal)),
      })
      return undefined
    }
    const result = await check(signal)
    if (options['write-baseline'] !== undefined)
      await writeBaseline(resolve(cwd, options['write-baseline']), result.findings, signal)
    if (options.sarif !== undefined) {
      const entry = options.composition ?? 'index.html'
      await writeFile(resolve(cwd, options.sarif), `${JSON.stringify(sarifOf(result, { rules, entry }), null, 2)}\n`, {
        signal,
      })
    }
    return result
  })
