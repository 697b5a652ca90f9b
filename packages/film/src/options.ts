import { type CommandRun, inputsOf, type OptionTable, renderOptions, settingsOf } from '@vid/command'
import type { FilmSettings, Renderer } from '@vid/render'

/** Options of every command that looks at a composition. */
export const filmOptions = {
  fps: renderOptions.fps,
  composition: renderOptions.composition,
  variables: renderOptions.variables,
  'variables-file': renderOptions['variables-file'],
  'strict-variables': renderOptions['strict-variables'],
  'browser-gpu': renderOptions['browser-gpu'],
  raster: renderOptions.raster,
  preset: renderOptions.preset,
  json: renderOptions.json,
  quiet: renderOptions.quiet,
} as const satisfies OptionTable

/** Pairs of them that contradict each other. */
export const filmConflicts = [['variables', 'variables-file']] as const

type FilmRun = Pick<
  CommandRun<typeof filmOptions>,
  'cwd' | 'env' | 'signal' | 'options' | 'variables' | 'report' | 'spelling' | 'unguarded'
>

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
  { cwd, env, spelling, unguarded }: Pick<FilmRun, 'cwd' | 'env' | 'spelling' | 'unguarded'>,
  work: (renderer: Renderer) => Promise<T>,
): Promise<T> => {
  const { createRenderer } = await import('@vid/render')
  const renderer = await createRenderer({ cwd, env, spelling, loading: unguarded })
  try {
    return await work(renderer)
  } finally {
    await renderer.close()
  }
}
