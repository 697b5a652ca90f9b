import { loadComposition } from '@vid/core'
import { type ExactNumber, readScale, scaleTo, sizesNear } from '@vid/protocol'

/** Shortest side of a small picture, in pixels. */
const MIN_SIDE = 32

/** The scale at which the longer side of a composition is nearest to `side`; undefined where no smaller picture has its shape. */
export const smallScale = async (
  {
    projectDir,
    entry = 'index.html',
    shape,
    side,
  }: { readonly projectDir: string; readonly entry?: string; readonly shape?: string; readonly side: number },
  signal: AbortSignal,
): Promise<ExactNumber | undefined> => {
  const { composition } = await loadComposition(projectDir, entry, { signal, shape })
  const { width, height } = composition
  const goal = (side * width) / Math.max(width, height)
  const fits = sizesNear(composition, Math.ceil(goal)).filter(
    (size) => size.width < width && Math.min(size.width, size.height) >= MIN_SIDE,
  )
  const [size] = fits.sort((one, other) => Math.abs(one.width - goal) - Math.abs(other.width - goal))
  return size && readScale(scaleTo(composition, size) ?? '')
}
