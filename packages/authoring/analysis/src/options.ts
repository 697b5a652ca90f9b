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
import type { CompositionSettings, Renderer } from '@vid/render'
import type { ChosenState, CompositionLine } from './staged/chosen-state.ts'

export type { ChosenState } from './staged/chosen-state.ts'

/** Options of every command that looks at a composition. */
export const compositionOptions = {
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

/** The option of commands that look at a composition as it is staged too. */
export const stateOption = {
  state: {
    kind: 'choice',
    choices: ['files', 'staged'],
    about: 'the files, or what the open preview has staged',
    default: 'files',
  },
} as const satisfies OptionTable

/** Pairs of them that contradict each other. */
export const compositionConflicts = [['variables', 'variables-file']] as const

type CompositionRun = Pick<
  CommandRun<typeof compositionOptions>,
  'cwd' | 'env' | 'signal' | 'options' | 'variables' | 'report' | 'spelling' | 'unguarded'
>

type RendererRun = Pick<CompositionRun, 'cwd' | 'env' | 'spelling' | 'unguarded'>

/** The settings that these options set, of the composition in a folder. */
export const compositionSettings = (
  { options, variables }: Pick<CompositionRun, 'options' | 'variables'>,
  projectDir: string,
): CompositionSettings => ({
  ...settingsOf(compositionOptions, options),
  projectDir,
  ...(options.preset !== undefined && { preset: options.preset }),
  ...(variables && { variables }),
  ...inputsOf(options),
})

/** Works with a renderer for a command, and closes it. */
export const withRenderer = async <T>(
  { cwd, env, spelling, unguarded }: RendererRun,
  work: (renderer: Renderer) => Promise<T>,
  configFrom: ChosenState['configFrom'] = 'project',
): Promise<T> => {
  const { createRenderer } = await import('@vid/render')
  const renderer = await createRenderer({ cwd, env, spelling, loading: unguarded, configFrom })
  try {
    return await work(renderer)
  } finally {
    await renderer.close()
  }
}

/** What a result says of the state of its composition: nothing of files. */
export interface StateResult {
  readonly state?: 'staged'
}

/** Works on the composition in a folder in the state that the command line asks for; the result says it. */
export const withChosenState = async <T extends object | undefined>(
  run: CompositionLine,
  folder: string,
  work: (state: ChosenState) => Promise<T>,
): Promise<T & StateResult> => {
  const { inState } = await import('./staged/chosen-state.ts')
  return inState(folder, run, async (state) => {
    const result = await work(state)
    return state.isStaged && result ? { ...result, state: 'staged' as const } : (result as T & StateResult)
  })
}

/** Looks at the composition in a folder with a renderer, in the state that the command line asks for; the result says it. */
export const lookAtComposition = <T extends object | undefined>(
  run: RendererRun & CompositionLine,
  folder: string,
  work: (renderer: Renderer, state: ChosenState) => Promise<T>,
): Promise<T & StateResult> =>
  withChosenState(run, folder, (state) => withRenderer(run, (renderer) => work(renderer, state), state.configFrom))

/** Adds to the text of a result that its composition was looked at as it is staged. */
export const withStateText = (text: Lines | ResultText, { state }: StateResult): Lines | ResultText => {
  if (state === undefined) return text
  const parts = textParts(text)
  return { ...parts, after: [...parts.after, 'looked at as staged in the open preview; the files are not changed yet'] }
}
