/** A composition of the trials. */
export interface Composition {
  readonly name: string
  /** Absolute. */
  readonly folder: string
}

/** Makes a composition with a video, a sound and a font of its own. */
export const makeProject: (folder: string) => Composition
