/** The files behind media sources; every function of one render gets the same answers. */
export interface SourceFiles {
  /**
   * Absolute real path of the file behind a media element's `src`: a path in the project or an address. Undefined when
   * there is no such file; rejects when one cannot be fetched. Plugins answer through the hook `source`.
   */
  file(src: string): Promise<string | undefined>
}
