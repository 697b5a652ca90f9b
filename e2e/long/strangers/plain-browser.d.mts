/** A Chromium that runs by its own virtual time and draws on command. */
export interface PlainBrowser {
  /** PNG pictures of a page as the browser shows it at `hz` frames a second: those of some of these frames, ascending. */
  pictures(
    file: string,
    folder: string,
    frames: { readonly ticks: readonly number[]; readonly hz: number },
  ): Promise<readonly Buffer[]>
  close(): Promise<void>
}

/** Opens the browser with windows of a size. */
export const openPlainBrowser: (options: {
  readonly executable: string
  readonly env: NodeJS.ProcessEnv
  readonly size: { readonly width: number; readonly height: number }
}) => Promise<PlainBrowser>
