/** A machine of the table. */
export interface Cell {
  readonly name: string
  readonly ffmpeg: 'embedded' | 'system'
  readonly sandbox: 'bubblewrap' | 'util-linux' | 'none'
  /** Whether npm run e2e tries it. */
  readonly isTested?: boolean
}

/** The machines that users have. */
export const cells: readonly Cell[]
