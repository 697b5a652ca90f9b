import { resolve } from 'node:path'
import { countedProgress, defineCommand, type OptionTable } from '@vid/command'
import { filmConflicts, filmOptions, filmSettings, withRenderer } from '@vid/film/options'
import { SAFE_PATTERN } from '../rules/safe-areas.ts'

const NAMES = /^[a-z][a-z0-9-]*(?:\s*,\s*[a-z][a-z0-9-]*)*$/

const options = {
  rule: { kind: 'text', rule: 'names such as contrast,text-cut', pattern: NAMES, about: 'only these rules' },
  skip: { kind: 'text', rule: 'names such as text-small', pattern: NAMES, about: 'without these rules' },
  safe: {
    kind: 'text',
    rule: 'youtube-shorts, tiktok, reels, title, or x,y,width,height',
    pattern: SAFE_PATTERN,
    about: 'the area that text must stay in',
  },
  ...filmOptions,
} as const satisfies OptionTable

const namesIn = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

/** `vid check [dir]`. */
export const checkCommand = defineCommand({
  path: 'check',
  summary: 'Find what is wrong in a film: text, contrast, picture, motion and sound.',
  details:
    'Goes through every frame of index.html of a folder (default: the current one) in the browser of a render, and prints each finding with its time, place and a hint. Exits with 1 when there is an error.',
  arguments: [{ name: 'dir', default: '.' }],
  options,
  conflicts: filmConflicts,
  examples: [
    ['The folder "intro"', 'vid check intro'],
    ['Contrast alone, for a program', 'vid check intro --rule contrast --json'],
    ['Where YouTube puts its buttons', 'vid check intro --safe youtube-shorts'],
  ],
  run: (run) =>
    withRenderer(run, async (renderer) => {
      const [{ loadProjectConfig, openContext }, { checkFilm, checkResult }, { chooseRules }] = await Promise.all([
        import('@vid/render'),
        import('../check-film.ts'),
        import('../rules/choose-rules.ts'),
      ])
      const { cwd, env, signal, spelling, unguarded } = run
      const { rule, skip, safe } = run.options
      const projectDir = resolve(cwd, run.arguments.dir)
      const context = await openContext({ cwd, env, spelling, loading: unguarded })
      const { checks, check } = await loadProjectConfig(projectDir, {}, context)
      const settings = { ...check, ...(safe !== undefined && { 'text-safe-area': { area: safe } }) }
      const rules = chooseRules({ checks, settings, only: namesIn(rule), skip: namesIn(skip) })
      const progress = countedProgress(run.progress, {
        doing: 'checking',
        text: (done, total) => `${done}/${total} frames`,
      })
      const film = await checkFilm(
        renderer,
        { film: filmSettings(run, run.arguments.dir), rules, runs: [{ name: null, variables: {} }] },
        { signal, onProgress: run.progress.isLive ? progress : () => {} },
      )
      run.progress.clear()
      return checkResult(film)
    }),
  text: async (result, view) => (await import('../findings/check-text.ts')).checkText(result, view),
  exitCode: ({ ok }) => (ok ? 0 : 1),
})
