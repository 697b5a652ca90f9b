import puppeteer from '@vid/capture-puppeteer'

export default {
  capture: puppeteer({ lane: process.env.E2E_LANE ?? 'auto' }),
  render: { segmentFrames: 30, quality: 'draft' },
}
