import type { RenderContext } from '@vid/render'
import type { App } from '@vid/server'
import type { PreviewEvent } from '../api.ts'
import type { Edits } from '../edits/edits.ts'
import type { CompositionList } from '../project/compositions.ts'
import type { PreviewFiles } from '../project/project-files.ts'
import type { ProjectSettings } from '../project/settings.ts'
import type { Captures } from '../renders/captures.ts'

/** What the routes of the page are made of. */
export interface PreviewParts extends Omit<Captures, 'renew'> {
  readonly app: App
  readonly files: PreviewFiles
  readonly settings: () => Promise<ProjectSettings>
  readonly context: RenderContext
  readonly env: NodeJS.ProcessEnv
  readonly version: string
  /** Absolute folder for temporary files, which the preview removes at its end. */
  readonly scratch: string
  /** Bytes of a file that the page may send. */
  readonly maxUploadBytes: number
  readonly edits: Edits
  compositions(): Promise<CompositionList>
  /** Origin of the compositions. */
  origin(): string
  revision(): number
  /** Why not all changes are seen; null when they are. */
  unwatched(): string | null
  /** Sends an event to every page. */
  send(event: PreviewEvent): void
  /** Calls back with every event from now on, until the returned function is called. */
  listen(hear: (event: PreviewEvent) => void): () => void
  /** Aborts when the preview ends. */
  readonly signal: AbortSignal
}
