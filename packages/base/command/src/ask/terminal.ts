/** Where a person is asked. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream
  readonly stderr: NodeJS.WritableStream
  /** Ends a question. */
  readonly signal: AbortSignal
}
