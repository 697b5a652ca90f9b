import type { FilmSettings } from '@vid/render'

/** A film that is shown in some shape, with some values of its variables. */
export interface FilmRun {
  /** The shape and the values in words; null for those of the film. */
  readonly name: string | null
  readonly variables: Readonly<Record<string, unknown>>
  /** Such as `9:16`; as the composition is written if left out. */
  readonly shape?: string
}

/** Each run in each of some shapes; the same runs without any. */
export const inShapes = (runs: readonly FilmRun[], shapes: readonly string[]): readonly FilmRun[] =>
  shapes.length === 0
    ? runs
    : shapes.flatMap((shape) =>
        runs.map((run) => ({ ...run, shape, name: run.name === null ? shape : `${shape}, ${run.name}` })),
      )

/** The settings of a film in a run. */
export const inRun = (film: FilmSettings, { variables, shape }: FilmRun): FilmSettings => ({
  ...film,
  variables: { ...film.variables, ...variables },
  ...(shape !== undefined && { shapes: shape }),
})
