import puppeteer from '@vid/capture-puppeteer'

export default { capture: puppeteer({ lane: 'auto' }) }
