import { loadComposition } from '@vid/core'
import type { RenderRequest, Size } from '@vid/kernel'
import type { Resolution } from './body.ts'
import { fail } from './errors.ts'

/** Limits on the picture of a request. */
export interface SizeRules {
  readonly projectDir: string
  readonly resolution: Resolution | 'auto'
  readonly signal: AbortSignal
}

const resolutionOf = ({ width, height }: Size): Resolution | undefined => {
  const side = Math.min(width, height)
  if (side === 1080) return '1080p'
  return side === 2160 ? '4k' : undefined
}

const sizeOf = (text: string): Size => {
  const [width = 0, height = 0] = text.split('x').map(Number)
  return { width, height }
}

const sizeText = ({ width, height }: Size) => `${width}x${height}`

/** The resolution that gives exactly the requested picture; refuses the request if there is none. */
export const chooseResolution = async (
  {
    entry,
    format,
    shapes: shape,
    resolution: requestSize,
  }: Pick<RenderRequest, 'entry' | 'format' | 'shapes' | 'resolution'>,
  { projectDir, resolution, signal }: SizeRules,
): Promise<Resolution> => {
  if (resolution !== 'auto' && requestSize === undefined) return resolution
  const { composition } = await loadComposition(projectDir, entry, { signal, ...(shape !== undefined && { shape }) })
  const size = requestSize === undefined ? composition : sizeOf(requestSize)
  const refuse = (problem: string) => fail('VID_API_SIZE', { size: sizeText(size), problem })
  if (size.width * composition.height !== size.height * composition.width)
    throw refuse(`the composition has another shape, ${sizeText(composition)}`)
  const exact = resolutionOf(size)
  if (exact === undefined) throw refuse(requestSize === undefined ? 'that is its own size' : 'the request asks for it')
  if (resolution !== 'auto' && exact !== resolution) throw refuse(`the options of the target say ${resolution}`)
  if (exact === '4k' && format !== 'mp4') throw refuse(`the format is ${format}`)
  return exact
}
