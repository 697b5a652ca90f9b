import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommandRun, countedProgress } from '@vid/command'
import { placeOutput, type Renderer } from '@vid/render'
import { makeScratchFolder } from '@vid/system'
import type { DiffReport } from '../diff/diff-schema.ts'
import { type DiffSettings, diffSides } from '../diff/diff-sides.ts'
import { compositionSettings, lookAtComposition, type StateResult } from '../options.ts'
import { findSides } from '../sides/find-sides.ts'
import type { Side } from '../sides/side.ts'
import type { diffOptions } from './diff-options.ts'

type Run = CommandRun<typeof diffOptions, { readonly before: string; readonly after: string | undefined }>

/** Whether a side is a folder as it is now, of which a preview may have something staged. */
const isFolderNow = (side: Side): side is Extract<Side, { kind: 'composition' }> =>
  side.kind === 'composition' && side.copyOf === undefined

/** The path of the sheet, checked before anything is compared. */
const placeSheet = async (
  { cwd, options: { sheet, force = false, composition = 'index.html' } }: Run,
  sides: DiffSettings['sides'],
  projectDir: string,
): Promise<string | undefined> => {
  if (sheet === undefined) return undefined
  const inputs = sides.map((side) => (side.kind === 'video' ? side.file : join(side.projectDir, composition)))
  const rules = { output: sheet, format: 'png', formats: ['png'], isFormatChosen: true, force, inputs, projectDir }
  return (await placeOutput(rules, cwd)).path
}

const compare = async (
  run: Run,
  renderer: Renderer,
  settings: DiffSettings,
  signal: AbortSignal,
): Promise<DiffReport> => {
  const { report } = run
  const progress = countedProgress(run.progress, {
    doing: 'comparing',
    text: (done, total) => `${done}/${total} frames`,
  })
  const diff = await diffSides(renderer, settings, {
    signal,
    onProgress: run.progress.isLive ? progress : () => {},
    onWarning: report.warn,
    onConsole: report.console,
  })
  run.progress.clear()
  return diff
}

/** `vid diff`: the frames that differ between two versions; of the later one as it is staged, where that is asked for. */
export const runDiff = async (run: Run): Promise<DiffReport & StateResult> => {
  const { cwd, env, signal, options } = run
  const scratch = await makeScratchFolder(tmpdir(), 'vid-diff-')
  try {
    const sides = await findSides(run.arguments.before, run.arguments.after, { cwd, scratch, signal })
    const [before, after] = sides
    const projectDir = after.kind === 'composition' ? after.projectDir : cwd
    const sheet = await placeSheet(run, sides, projectDir)
    const line = isFolderNow(after) ? run : { ...run, options: { ...options, state: 'files' as const } }
    return await lookAtComposition(line, projectDir, (renderer, state) => {
      const now: Side = state.isStaged
        ? { kind: 'composition', label: `${after.label} as staged`, projectDir: state.projectDir, copyOf: projectDir }
        : after
      const settings: DiffSettings = {
        sides: [before, now],
        composition: compositionSettings(run, projectDir),
        ...(sheet !== undefined && { sheet }),
        width: options.width ?? 1568,
        exitCode: options['exit-code'] === true,
        scratch,
        env,
      }
      return compare(run, renderer, settings, state.signal)
    })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
