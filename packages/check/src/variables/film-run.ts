/** A film that is shown with some values of its variables. */
export interface FilmRun {
  /** The values in words; null for those of the film. */
  readonly name: string | null
  readonly variables: Readonly<Record<string, unknown>>
}
