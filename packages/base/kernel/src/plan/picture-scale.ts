import {
  failRender,
  isPictureSize,
  ladderRungs,
  layoutSize,
  type RenderPlan,
  type RenderRequest,
  ratioOf,
  scaledSize,
  scaleTo,
  sizesNear,
} from '@vid/protocol'

type Asked = Pick<RenderRequest, 'scale' | 'resolution'>
type Page = Pick<RenderPlan, 'width' | 'height'>

const sizeText = ({ width, height }: Page) => `${width}x${height}`

const sizeOf = (resolution: string): Page => {
  const [width = 0, height = 0] = resolution.split('x').map(Number)
  return { width, height }
}

/** The requested scale for a page of a size; undefined if none or 1, refused if it does not fit. */
const scaleOf = (page: Page, { scale, resolution }: Asked): RenderPlan['scale'] => {
  if (scale === undefined && resolution === undefined) return undefined
  const target = resolution === undefined ? undefined : sizeOf(resolution)
  const ratio = target ? scaleTo(page, target) : scale
  const size = ratio === undefined ? undefined : scaledSize(page, ratio)
  if (ratio !== undefined && size && isPictureSize(size)) return ratio === 1 ? undefined : ratio
  const { num, den } = ratioOf(scale ?? 1)
  const problem = !size
    ? 'its shape is another'
    : Number.isInteger(size.width) && Number.isInteger(size.height)
      ? `${sizeText(size)} is more than encoders take`
      : `${Number(size.width.toFixed(3))}x${Number(size.height.toFixed(3))} is no whole number of pixels`
  throw failRender('VID_SCALE_UNFIT', {
    asked: resolution === undefined ? `scale ${scale}` : `resolution ${resolution}`,
    page: sizeText(page),
    problem,
    near: sizesNear(page, target?.width ?? (page.width * num) / den).map(sizeText),
  })
}

/** A plan with the requested picture size; the plan's own size is that of the page. */
export const scalePlan = (plan: RenderPlan, request: Asked): RenderPlan => {
  const scale = scaleOf(plan, request)
  return scale === undefined ? plan : { ...plan, ...scaledSize(plan, scale), scale }
}

/** Refuses a ladder with sizes above that of the picture, which would be blurred. */
export const checkLadder = ({ width, height }: Page, { ladder = '' }: Pick<RenderRequest, 'ladder'>): void => {
  const side = Math.min(width, height)
  // Encoders with a ladder make odd sizes even.
  const rungs = ladderRungs(ladder).filter((rung) => rung > side + (side % 2))
  if (rungs.length > 0) throw failRender('VID_LADDER_UNFIT', { rungs, width, height })
}

/**
 * A plan as the capture plugin gets it: the size is that of the page, the frames are those of the whole composition.
 */
export const capturePlan = ({ range, ...plan }: RenderPlan): RenderPlan => ({
  ...plan,
  ...layoutSize(plan, plan.scale),
  ...(range && { frames: range.of }),
})
