import { readFactsTask } from '@vid/core'
import { type Reading, readHere, type SharedPool } from '@vid/kernel'
import type { RenderRequest } from '@vid/protocol'
import type { PageDriver } from '../driver/cdp.ts'
import type { PortableDriver } from '../driver/portable-driver.ts'
import { chooseLane, type LaneChoice, narrowLane } from '../lanes/lane-choice.ts'
import { prepareBrowser } from '../launch/browser-lease.ts'
import type { BrowserExecutable } from '../launch/find.ts'
import type { Raster } from '../launch/raster-level.ts'
import type { SandboxMode } from '../launch/sandbox.ts'

interface EarlyBrowser {
  readonly driver: PageDriver | PortableDriver
  readonly executable: BrowserExecutable
  readonly lane: LaneChoice
  readonly sandboxMode: SandboxMode
  /** By default `portable`. */
  readonly raster?: Raster
  /** Absolute folder of the composition. */
  readonly projectDir: string
  readonly shared: SharedPool
  /** In this thread if left out. */
  readonly reading?: Reading | undefined
  readonly signal: AbortSignal
}

/**
 * Starts the browser that the first session of a request will probably lease: for the size and the lane that
 * follow from the composition's text, drawing on the processor.
 */
export const startEarly = async (
  { driver, executable, lane, sandboxMode, raster, projectDir, shared, reading = readHere, signal }: EarlyBrowser,
  { entry, shapes: shape }: Pick<RenderRequest, 'entry' | 'shapes'>,
): Promise<void> => {
  const { width, height } = await reading(readFactsTask, { projectDir, entry, shape }, signal)
  const kind = chooseLane(narrowLane(lane, driver), executable, { fits: true })
  signal.throwIfAborted()
  prepareBrowser(shared, {
    driver,
    executable,
    sandboxMode,
    width,
    height,
    ...(raster && { raster }),
    frameControl: kind.frameControl,
  })
}
