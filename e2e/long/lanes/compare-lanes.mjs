// One composition in the lane that is chosen for it and in screenshots, frame by frame.

import { comparePictures } from '@vid/runtime'
import { findProjectFile } from '@vid/system'
import { decodePng } from '@vid/testkit'
import puppeteer from '../../../plugins/capture-puppeteer/dist/index.js'

/** Opens a composition of a folder in a lane. */
const open = async (lane, { projectDir, entry, width, height, fps }, { shared, signal }) => {
  const capture = puppeteer({ lane })
  const warnings = []
  const plan = {
    width,
    height,
    fps,
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
    let ms = 0
    let last = performance.now()
    for await (const frame of session.frames({ index: 0, start: 0, frames: page.frames }, ['rgba', 'png'])) {
      ms += performance.now() - last
      use(frame)
      last = performance.now()
    }
    return { lane: session.lane(), warnings, ms: ms / page.frames }
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

/** How far pictures of one frame differ, with edges that may be smoothed in another way, and without. */
const likenessOf = (one, other, { width, height }) => {
  const shape = { width, height, planar: false }
  const [smoothed, exact] = [true, false].map((isSmoothed) =>
    comparePictures(one, other, { ...shape, smoothed: isSmoothed }),
  )
  return { psnr: smoothed.psnr ?? Infinity, exactPsnr: exact.psnr ?? Infinity, worstBlock: exact.worstBlock }
}

/** The worst of all frames. */
const worst = (frames) => {
  const [first] = [...frames].sort((one, other) => one.psnr - other.psnr || one.exactPsnr - other.exactPsnr)
  return {
    frame: first.index,
    psnr: first.psnr,
    exactPsnr: Math.min(...frames.map(({ exactPsnr }) => exactPsnr)),
    worstBlock: Math.max(...frames.map(({ worstBlock }) => worstBlock)),
  }
}

/**
 * A page in a lane and in screenshots: the lane that captured it, why if it is a slower one, milliseconds for a frame,
 * and how far its frames differ.
 */
export const compareLanes = async (lane, page, context) => {
  const pictures = new Map()
  const chosen = await capture(lane, page, context, ({ index, format, data }) =>
    pictures.set(index, { format, data: Buffer.from(data) }),
  )
  const frames = []
  const screenshots = await capture('screenshot', page, context, (frame) => {
    const picture = pictures.get(frame.index)
    pictures.delete(frame.index)
    frames.push({ index: frame.index, ...likenessOf(pixelsOf(picture), pixelsOf(frame), page) })
  })
  const isFallback = ({ code }) => code === 'VID_LANE_FALLBACK'
  return {
    lane: chosen.lane,
    frames: frames.length,
    ms: { chosen: chosen.ms, screenshots: screenshots.ms },
    likeness: worst(frames),
    reasons: chosen.warnings.filter(isFallback).map(({ message }) => message),
    warnings: chosen.warnings
      .filter((warning) => !isFallback(warning))
      .map(({ code, message }) => `${code}: ${message}`),
  }
}
