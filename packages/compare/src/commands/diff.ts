import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countedProgress, defineCommand, type OptionTable, renderOptions } from '@vid/command'
import { filmConflicts, filmOptions, filmSettings, withRenderer } from '@vid/film/options'

const options = {
  sheet: {
    kind: 'text',
    rule: 'a path',
    about: 'draw before, after and difference of each interval into a PNG',
    path: 'write',
  },
  width: { kind: 'integer', min: 320, max: 8192, about: 'pixels of the sheet from left to right', default: '1568' },
  'exit-code': { kind: 'switch', about: 'end with 1 where something differs, as git has it' },
  force: renderOptions.force,
  ...filmOptions,
} as const satisfies OptionTable

/** `vid diff A [B]`. */
export const diffCommand = defineCommand({
  path: 'diff',
  summary: 'Find the frames that differ between two versions of a film.',
  details:
    'Compares two folders, two finished videos, or revisions of a folder. "vid diff HEAD intro" compares the last commit of the folder "intro" with its files now, and so does "vid diff intro". "vid diff v1..v2 intro" compares two revisions. Prints each interval of frames that differ, by how much and in which element, and where the sound differs. What the text of both sides proves equal is not captured. Git archives a revision; nothing is checked out.',
  arguments: [
    { name: 'before', default: 'HEAD', path: 'read' },
    { name: 'after', isOptional: true, path: 'read' },
  ],
  options,
  conflicts: filmConflicts,
  needs: [['width', 'sheet']],
  examples: [
    ['What was changed since the last commit', 'vid diff HEAD'],
    ['Two revisions of the folder "intro", with pictures', 'vid diff v1..v2 intro --sheet changes.png'],
    ['Two finished videos, for a script', 'vid diff old.mp4 new.mp4 --exit-code --quiet'],
  ],
  run: (run) =>
    withRenderer(run, async (renderer) => {
      const [{ placeOutput }, { makeScratchFolder }, { findSides }, { diffFilms }] = await Promise.all([
        import('@vid/render'),
        import('@vid/system'),
        import('../sides/find-sides.ts'),
        import('../diff/diff-films.ts'),
      ])
      const { cwd, env, signal, report } = run
      const { sheet, width = 1568, force = false } = run.options
      const scratch = await makeScratchFolder(tmpdir(), 'vid-diff-')
      try {
        const sides = await findSides(run.arguments.before, run.arguments.after, { cwd, scratch, signal })
        const [, after] = sides
        const projectDir = after.kind === 'composition' ? after.projectDir : cwd
        const inputs = sides.map((side) =>
          side.kind === 'video' ? side.file : join(side.projectDir, run.options.composition ?? 'index.html'),
        )
        const place = { format: 'png', formats: ['png'], isFormatChosen: true, force, inputs, projectDir }
        const output = sheet === undefined ? undefined : (await placeOutput({ ...place, output: sheet }, cwd)).path
        const progress = countedProgress(run.progress, {
          doing: 'comparing',
          text: (done, total) => `${done}/${total} frames`,
        })
        const diff = await diffFilms(
          renderer,
          {
            sides,
            film: filmSettings(run, projectDir),
            ...(output !== undefined && { sheet: output }),
            width,
            exitCode: run.options['exit-code'] === true,
            scratch,
            env,
          },
          {
            signal,
            onProgress: run.progress.isLive ? progress : () => {},
            onWarning: report.warn,
            onConsole: report.console,
          },
        )
        run.progress.clear()
        return diff
      } finally {
        await rm(scratch, { recursive: true, force: true })
      }
    }),
  tool: {
    title: 'Compare two versions of a film',
    effect: 'reads',
    without: ['exit-code'],
    lists: ['intervals', 'sound'],
    pictures: ({ sheet }) => sheet,
    isLong: true,
  },
  text: async (diff) => (await import('../diff/diff-text.ts')).diffText(diff),
  exitCode: ({ exitCode }) => exitCode,
})
