// One composition in the lane that is chosen for it and in screenshots, frame by frame.
import { findProjectFile } from '@vid/system'
import { comparePictures } from '@vid/runtime'
import { decodePng } from '@vid/testkit'
import puppeteer from '../../plugins/capture-puppeteer/dist/index.js'

const FPS = 30

/** Opens a composition of a folder in a lane. */
const open = async (lane, { projectDir, entry, width, height }, { shared, signal }) => {
  const capture = puppeteer({ lane })
  const warnings = []
  const plan = {
    width,
    height,
    fps: FPS,
    frames: 1,
    variables: {},
    alpha: false,
    composition: { entry },
    capture: { settings: { raster: 'native' } },
  }
  const context = {
    options: capture.options,
    projectDir,
    sources: { file: (source) => findProjectFile(projectDir, source) },
    signal,
    shared,
    warn: (warning) => warnings.push(warning),
    note: () => {},
    log: () => {},
  }
  return { session: await capture.open(plan, context), warnings, plan }
}

/** Captures all frames in a lane; again if sampled frames showed that the lane draws the page wrong. */
const capture = async (lane, page, context, use) => {
  const { session, warnings } = await open(lane, page, context)
  try {
    const started = performance.now()
    let frames = 0
    for await (const frame of session.frames({ index: 0, start: 0, frames: page.frames }, ['rgba', 'png'])) {
      await use(frame)
      frames += 1
    }
    return { lane: session.lane(), warnings, frames, ms: (performance.now() - started) / frames }
  } catch (error) {
    if (error.code === 'VID_LANE_UNFIT' && lane === 'auto') {
      const again = await capture(lane, page, context, use)
      return { ...again, warnings: [...warnings, ...again.warnings] }
    }
    throw error
  } finally {
    await session.close()
  }
}

const pixelsOf = ({ format, data }) => (format === 'png' ? decodePng(data).data : data)

/** The lane that is chosen for a page, why if it is a slower one, and how far its frames differ from screenshots. */
export const compareLanes = async (page, context) => {
  const pictures = new Map()
  const fast = await capture('auto', page, context, ({ index, format, data }) =>
    pictures.set(index, { format, data: Buffer.from(data) }),
  )
  let psnr = Infinity
  let worstBlock = 0
  let worstFrame = 0
  const shape = { width: page.width, height: page.height, planar: false, smoothed: true }
  const slow = await capture('screenshot', page, context, (frame) => {
    const picture = pictures.get(frame.index)
    pictures.delete(frame.index)
    const likeness = comparePictures(pixelsOf(picture), pixelsOf(frame), shape)
    if ((likeness.psnr ?? Infinity) < psnr) worstFrame = frame.index
    psnr = Math.min(psnr, likeness.psnr ?? Infinity)
    worstBlock = Math.max(worstBlock, likeness.worstBlock)
  })
  const reasons = fast.warnings.filter(({ code }) => code === 'VID_LANE_FALLBACK').map(({ message }) => message)
  const others = fast.warnings.filter(({ code }) => code !== 'VID_LANE_FALLBACK').map(({ code, message }) => `${code}: ${message}`)
  return { lane: fast.lane, reasons, others, frames: fast.frames, psnr, worstBlock, worstFrame, ms: [fast.ms, slow.ms] }
}
