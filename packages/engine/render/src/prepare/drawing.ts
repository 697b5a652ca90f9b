import { defined, type RenderRequest } from '@vid/protocol'
import type { RenderContext } from './context.ts'

/** The hardware that draws the pages of a machine. */
type Drawing = Pick<RenderRequest, 'browserGpu' | 'raster'>

/** Of a plan that other machines may render: only a caller who insists gets what is particular to one machine. */
export const travellingDrawing = ({ browserGpu, raster }: Partial<Drawing>): Drawing => ({
  browserGpu: browserGpu === true,
  raster: raster === 'native' ? 'native' : 'portable',
})

/**
 * What draws the pages. A server leaves out what is particular to its machine unless the config of its operator asks
 * for it: pages there are those of strangers, and a plan may be rendered by another machine.
 */
export const chooseDrawing = (
  settings: Partial<Drawing>,
  merged: Partial<Drawing>,
  { configFrom }: Pick<RenderContext, 'configFrom'>,
): Partial<Drawing> => {
  const { browserGpu = merged.browserGpu, raster = merged.raster } = settings
  const drawing = defined({ browserGpu, raster })
  return configFrom === 'cwd' ? travellingDrawing(drawing) : drawing
}
