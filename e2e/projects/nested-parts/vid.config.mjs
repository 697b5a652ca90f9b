import puppeteer from '@vid/capture-puppeteer'

export default {
  capture: puppeteer({ lane: process.env.E2E_LANE ?? 'auto' }),
  render: { segmentFrames: Number(process.env.E2E_SEGMENT ?? 30) },
}
