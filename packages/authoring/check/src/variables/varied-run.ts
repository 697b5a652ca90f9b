import type { CompositionSettings } from '@vid/render'

/** A composition that is shown in some shape, with some values of its variables. */
export interface VariedRun {
  /** The shape and the values in words; null for those of the composition. */
  readonly name: string | null
  readonly variables: Readonly<Record<string, unknown>>
  /** Such as `9:16`; as the composition is written if left out. */
  readonly shape?: string
}

/** Each run in each of some shapes; the same runs without any. */
export const inShapes = (runs: readonly VariedRun[], shapes: readonly string[]): readonly VariedRun[] =>
  shapes.length === 0
    ? runs
    : shapes.flatMap((shape) =>
        runs.map((run) => ({ ...run, shape, name: run.name === null ? shape : `${shape}, ${run.name}` })),
      )

/** The settings of a composition in a run. */
export const inRun = (composition: CompositionSettings, { variables, shape }: VariedRun): CompositionSettings => ({
  ...composition,
  variables: { ...composition.variables, ...variables },
  ...(shape !== undefined && { shapes: shape }),
})
