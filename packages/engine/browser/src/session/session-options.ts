import type { Reading, SharedPool, SourceFiles } from '@vid/kernel'
import type { RenderPlan } from '@vid/protocol'
import type { PageDriver } from '../driver/cdp.ts'
import type { PortableDriver } from '../driver/portable-driver.ts'
import type { ImageLane, LaneChoice } from '../lanes/lane-choice.ts'
import type { BrowserExecutable } from '../launch/find.ts'
import type { Gpu } from '../launch/gpu-guard.ts'
import type { Raster } from '../launch/raster-level.ts'
import type { SandboxMode } from '../launch/sandbox.ts'
import type { PageReports } from '../page/console-text.ts'
import type { ReadinessLimits } from '../page/readiness.ts'

/** The settings that determine the pixels of a page; the size is that of its layout. */
export type PagePlan = Pick<RenderPlan, 'width' | 'height' | 'scale' | 'fps' | 'variables' | 'alpha' | 'network'> & {
  readonly composition: Pick<RenderPlan['composition'], 'entry' | 'shape'>
  /** Number of frames if it is known before the probe, otherwise 1. */
  readonly frames?: number
}

/** Options of a capture session. */
export interface SessionOptions extends PageReports {
  readonly driver: PageDriver | PortableDriver
  readonly executable: BrowserExecutable
  readonly plan: PagePlan
  /** Absolute folder of the composition. */
  readonly projectDir: string
  readonly lane: LaneChoice
  /** Finds the files of media sources. */
  readonly sources: SourceFiles
  /** Hosts at private addresses, as `name` or `name:port`, that files may be fetched from. */
  readonly privateHosts?: readonly string[]
  /** Whether pages must run in a sandbox; by default `auto`. */
  readonly sandboxMode?: SandboxMode
  /** The GPU that draws; if left out, the processor draws. */
  readonly gpu?: Gpu
  /** By default `portable`. */
  readonly raster?: Raster
  /** Whether elements that draw captions show nothing. */
  readonly hidesCaptions?: boolean
  readonly signal: AbortSignal
  /** The lane for a page that does not fit into the raster lane; measured on its first frames unless it is given. */
  readonly imageLane?: ImageLane | undefined
  /** Pool of browsers; without it, the session starts and closes its own. */
  readonly shared?: SharedPool | undefined
  /** Where texts of the composition are read; in this thread if left out. */
  readonly reading?: Reading | undefined
  /** Whether only pictures of single frames are taken: a page that draws frames fast would be opened in vain. */
  readonly picturesOnly?: boolean | undefined
  /** Longest time that the page may take to answer while it loads or shows one frame, in milliseconds. */
  readonly livenessMs?: number
  readonly readiness?: Partial<ReadinessLimits>
}
