import type { decodeScreenshot } from '@vid/browser'

type Pixels = ReturnType<typeof decodeScreenshot>

/** Size of the composition that is captured. */
export const PAGE_SIZE = { width: 320, height: 180 } as const

const LEFT = [200, 50, 30] as const
const RIGHT = [30, 100, 200] as const
/** Height of the two colours; below them is text, black on white. */
const COLOURED = 100

/** A composition whose frame is known: two colours, and a line of text. */
export const TRIAL_PAGE = `<!doctype html>
<html><head><meta charset="utf-8"><style>
html, body { margin: 0; background: white }
#root { position: relative; width: ${PAGE_SIZE.width}px; height: ${PAGE_SIZE.height}px; overflow: hidden; background: white }
#root div { position: absolute; top: 0; width: 50%; height: ${COLOURED}px }
p { position: absolute; top: ${COLOURED}px; left: 10px; margin: 0; font: 48px/70px sans-serif; color: black }
</style></head><body>
<div id="root" data-composition-id="doctor" data-width="${PAGE_SIZE.width}" data-height="${PAGE_SIZE.height}" data-duration="1" data-no-timeline>
<div style="left: 0; background: rgb(${LEFT.join()})"></div><div style="left: 50%; background: rgb(${RIGHT.join()})"></div>
<p>Doctor</p></div></body></html>
`

const isNear = ({ width, data }: Pixels, x: number, y: number, colour: readonly number[]): boolean =>
  colour.every((value, channel) => Math.abs((data[(y * width + x) * 4 + channel] ?? 0) - value) <= 3)

/** What is wrong with a captured frame of the composition; undefined when it shows what it should. */
export const frameProblem = (pixels: Pixels): string | undefined => {
  const { width, height } = pixels
  if (width !== PAGE_SIZE.width || height !== PAGE_SIZE.height)
    return `the frame has ${width} x ${height} pixels instead of ${PAGE_SIZE.width} x ${PAGE_SIZE.height}`
  if (!isNear(pixels, 40, 40, LEFT) || !isNear(pixels, 280, 40, RIGHT))
    return 'the colours of the frame differ from those of the page'
  for (let y = COLOURED; y < height; y += 1)
    for (let x = 0; x < width; x += 1) if (isNear(pixels, x, y, [0, 0, 0])) return undefined
  return 'the frame shows no text, since the browser finds no fonts'
}
