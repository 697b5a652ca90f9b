import {
  type CommandRun,
  inputsOf,
  type Lines,
  type OptionTable,
  type ResultText,
  renderOptions,
  settingsOf,
  shapeOption,
  textParts,
} from '@vid/command'
import type { FilmSettings, Renderer } from '@vid/render'
import type { FilmLine, FilmState } from './staged/staged-film.ts'

export type { FilmState } from './staged/staged-film.ts'

/** Options of every command that looks at a composition. */
export const filmOptions = {
  fps: renderOptions.fps,
  composition: renderOptions.composition,
  shape: shapeOption,
  variables: renderOptions.variables,
  'variables-file': renderOptions['variables-file'],
  'strict-variables': renderOptions['strict-variables'],
  'browser-gpu': renderOptions['browser-gpu'],
  raster: renderOptions.raster,
  preset: renderOptions.preset,
  json: renderOptions.json,
  quiet: renderOptions.quiet,
} as const satisfies OptionTable

/** The option of commands that look at a film as it is staged too. */
export const stateOption = {
  state: {
    kind: 'choice',
    choices: ['files', 'staged'],
    about: 'the files, or what the open preview has staged',
    default: 'files',
  },
} as const satisfies OptionTable

/** Pairs of them that contradict each other. */
export const filmConflicts = [['variables', 'variables-file']] as const

type FilmRun = Pick<
  CommandRun<typeof filmOptions>,
  'cwd' | 'env' | 'signal' | 'options' | 'variables' | 'report' | 'spelling' | 'unguarded'
>

type RendererRun = Pick<FilmRun, 'cwd' | 'env' | 'spelling' | 'unguarded'>

/** The settings that these options set, of the composition in a folder. */
export const filmSettings = (
  { options, variables }: Pick<FilmRun, 'options' | 'variables'>,
  projectDir: string,
): FilmSettings => ({
  ...settingsOf(filmOptions, options),
  projectDir,
  ...(options.preset !== undefined && { preset: options.preset }),
  ...(variables && { variables }),
  ...inputsOf(options),
})

/** Works with a renderer for a command, and closes it. */
export const withRenderer = async <T>(
  { cwd, env, spelling, unguarded }: RendererRun,
  work: (renderer: Renderer) => Promise<T>,
  configFrom: FilmState['configFrom'] = 'project',
): Promise<T> => {
  const { createRenderer } = await import('@vid/render')
  const renderer = await createRenderer({ cwd, env, spelling, loading: unguarded, configFrom })
  try {
    return await work(renderer)
  } finally {
    await renderer.close()
  }
}

/** What a result says of the state of its film: nothing of files. */
export interface StateResult {
  readonly state?: 'staged'
}

/** Works on the film in a folder in the state that the command line asks for; the result says it. */
export const withFilmState = async <T extends object | undefined>(
  run: FilmLine,
  folder: string,
  work: (state: FilmState) => Promise<T>,
): Promise<T & StateResult> => {
  const { inState } = await import('./staged/staged-film.ts')
  return inState(folder, run, async (state) => {
    const result = await work(state)
    return state.isStaged && result ? { ...result, state: 'staged' as const } : (result as T & StateResult)
  })
}

/** Looks at the film in a folder with a renderer, in the state that the command line asks for; the result says it. */
export const lookAtFilm = <T extends object | undefined>(
  run: RendererRun & FilmLine,
  folder: string,
  work: (renderer: Renderer, state: FilmState) => Promise<T>,
): Promise<T & StateResult> =>
  withFilmState(run, folder, (state) => withRenderer(run, (renderer) => work(renderer, state), state.configFrom))

/** Adds to the text of a result that its film was looked at as it is staged. */
export const withStateText = (text: Lines | ResultText, { state }: StateResult): Lines | ResultText => {
  if (state === undefined) return text
  const parts = textParts(text)
  return { ...parts, after: [...parts.after, 'looked at as staged in the open preview; the files are not changed yet'] }
}
