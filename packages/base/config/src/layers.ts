/** Where a value comes from: `default`, `preset NAME`, `config`, `environment NAME`, or a caller's own name. */
export type Source = string

/** One merged value and where it came from. */
export interface Provenance {
  readonly value: unknown
  readonly source: Source
}

/** Values of one source. */
export type Layer = readonly [Source, Readonly<Record<string, unknown>>]

/** Merges layers: later ones win, and what a layer leaves undefined falls through to the one before. */
export const overlay = (layers: readonly Layer[]): Record<string, Provenance> => {
  const merged: Record<string, Provenance> = {}
  for (const [source, values] of layers)
    for (const [key, value] of Object.entries(values)) if (value !== undefined) merged[key] = { value, source }
  return merged
}
